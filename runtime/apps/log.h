/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of log in the form that ExecuTorch's tools read: LEVEL [executorch:file:line function()] text.
 * With RUNNER_PLAIN_LOG the text alone, errors with "error: " before it. */
#ifndef RUNTIME_APPS_LOG_H
#define RUNTIME_APPS_LOG_H

/* Levels: I for information, E for an error, F for the end of the program. */
#define LOG(level, ...) log_line(level, __FILE__, __LINE__, __func__, __VA_ARGS__)

/* Directives as format_text()'s. No end of line. */
__attribute__((format(printf, 5, 6))) void log_line(char level, const char *file, int line, const char *function,
						    const char *format, ...);

#endif
