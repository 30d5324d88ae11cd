/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a compiled network on the NPU alone, with zeros as input, and prints what its operations cost.
 *
 *   cc network.c $(pkg-config --cflags --libs fvpsim) -o network
 *   ./network ethos-u55-128 model_vela.tflite */
#include <fvpsim.h>
#include <stdio.h>
#include <string.h>

static void print_tensor(const char *what, const struct fvpsim_tensor *t)
{
	printf("%s %s:", what, t->name);
	for (unsigned i = 0; i < t->rank; i++)
		printf(" %u", t->shape[i]);
	printf(", %zu bytes, scale %g, zero point %d\n", t->bytes, (double)t->scale, t->zero_point);
}

static int run(struct fvpsim_network *network, struct fvpsim_error *error)
{
	struct fvpsim_tensor tensor = { .size = sizeof tensor };
	struct fvpsim_operation op = { .size = sizeof op };

	for (unsigned i = 0; !fvpsim_network_input(network, i, &tensor, NULL); i++) {
		print_tensor("input", &tensor);
		memset(tensor.data, 0, tensor.bytes);
	}
	if (fvpsim_network_run(network, error))
		return 1;
	for (unsigned i = 0; !fvpsim_network_operation(network, i, &op, NULL); i++)
		printf("%3u %-12s %10llu cycles %12llu macs, bound by %s\n", i, op.kind, (unsigned long long)op.cycles,
		       (unsigned long long)op.macs, op.bound);
	for (unsigned i = 0; !fvpsim_network_output(network, i, &tensor, NULL); i++)
		print_tensor("output", &tensor);
	printf("%llu cycles\n", (unsigned long long)fvpsim_network_cycles(network));
	return 0;
}

int main(int argc, char **argv)
{
	struct fvpsim_error error = { .kind = FVPSIM_OK };
	struct fvpsim_network *network;
	int failed = 1;

	if (argc != 3) {
		fprintf(stderr, "usage: network ACCELERATOR MODEL\n");
		return 64;
	}
	network = fvpsim_network_open(argv[1], argv[2], NULL, &error);
	if (network)
		failed = run(network, &error);
	if (failed)
		fprintf(stderr, "network: %s\n", error.text);
	fvpsim_network_free(network);
	return failed;
}
