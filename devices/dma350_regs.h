/* SPDX-License-Identifier: Apache-2.0 */
/* Register map of the DMA-350 and the fields that more than one of its files needs (Arm CoreLink DMA-350
 * TRM, 102482, programmers model). */
#ifndef DEVICES_DMA350_REGS_H
#define DEVICES_DMA350_REGS_H

#include "devices/device.h"

/* Options of the build, which the manuals of the boards leave open: the widest data bus, and 32 GPO bits.
 * The number of trigger inputs is that of TF-M's driver for the SSE-310. */
enum { DMA350_CHANNELS = 2, DMA350_TRIGGERS = 8, DMA350_WIDEST = 4 /* 128 bits */, DMA350_GPOS = 32 };

#define DMA350_CHANNEL_BASE 0x1000u
#define DMA350_CHANNEL_BYTES 0x100u
#define DMA350_FRAME_BYTES 0x100u /* from the Secure to the Non-secure control frame */

#define DMA350_CHANNEL(R, b, n)                                                                \
	R(b + 0x00, 1, CH##n##_CMD, RW, 0, 0x0177003f, "0 enable, 1 clear, 2 disable, 3 stop, 4 pause, 5 resume, 16, 20 triggers, 24 acknowledge") \
	R(b + 0x04, 1, CH##n##_STATUS, RW, 0, 0x073f070f, "10:0 interrupts, 26:16 their causes: 16 done, 17 error") \
	R(b + 0x08, 1, CH##n##_INTREN, RW, 0, 0x70f, "interrupt enable")                \
	R(b + 0x0c, 1, CH##n##_CTRL, RW, 0x00200200, 0x1ffc7ef7, "2:0 size, 11:9 x type, 14:12 y type, 23:21 done type, 24 done pauses, 27:25 triggers, 28 outputs") \
	R(b + 0x10, 1, CH##n##_SRCADDR, RW, 0, 0xffffffff, "source")                    \
	R(b + 0x14, 1, CH##n##_SRCADDRHI, RW, 0, 0, "source, high word: 32-bit addresses have none") \
	R(b + 0x18, 1, CH##n##_DESADDR, RW, 0, 0xffffffff, "destination")               \
	R(b + 0x1c, 1, CH##n##_DESADDRHI, RW, 0, 0, "destination, high word")           \
	R(b + 0x20, 1, CH##n##_XSIZE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination units of a line") \
	R(b + 0x24, 1, CH##n##_XSIZEHI, RW, 0, 0xffffffff, "XSIZE, high halves")        \
	R(b + 0x28, 1, CH##n##_SRCTRANSCFG, RW, 0x000f0400, 0x000f0fff, "source bus attributes: 10 Non-secure, 11 privileged") \
	R(b + 0x2c, 1, CH##n##_DESTRANSCFG, RW, 0x000f0400, 0x000f0fff, "destination bus attributes") \
	R(b + 0x30, 1, CH##n##_XADDRINC, RW, 0, 0xffffffff, "15:0 source, 31:16 destination increment in units") \
	R(b + 0x34, 1, CH##n##_YADDRSTRIDE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination stride in units") \
	R(b + 0x38, 1, CH##n##_FILLVAL, RW, 0, 0xffffffff, "fill pattern")              \
	R(b + 0x3c, 1, CH##n##_YSIZE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination lines") \
	R(b + 0x40, 1, CH##n##_TMPLTCFG, RW, 0, 0x001f1f00, "template sizes - 1: 12:8 source, 20:16 destination, 0 none") \
	R(b + 0x44, 1, CH##n##_SRCTMPLT, RW, 1, 0xffffffff, "source template: units that are read; bit 0 is 1") \
	R(b + 0x48, 1, CH##n##_DESTMPLT, RW, 1, 0xffffffff, "destination template")     \
	R(b + 0x4c, 2, CH##n##_TRIGINCFG, RW, 0, 0x00ff0fff, "source, destination trigger: 7:0 which, 9:8 type, 11:10 mode, 23:16 block size - 1") \
	R(b + 0x54, 1, CH##n##_TRIGOUTCFG, RW, 0, 0x0000033f, "trigger output: 5:0 which, 9:8 type") \
	R(b + 0x58, 1, CH##n##_GPOEN0, RW, 0, 0xffffffff, "general purpose outputs that the command sets") \
	R(b + 0x60, 1, CH##n##_GPOVAL0, RW, 0, 0xffffffff, "their values")              \
	R(b + 0x68, 1, CH##n##_STREAMINTCFG, RW, 0, 0, "streams: there are none")       \
	R(b + 0x70, 1, CH##n##_LINKATTR, RW, 0, 0x3ff, "bus attributes of links")       \
	R(b + 0x74, 1, CH##n##_AUTOCFG, RW, 0, 0x0001ffff, "automatic restart: 15:0 times left, 16 without end") \
	R(b + 0x78, 1, CH##n##_LINKADDR, RW, 0, 0xfffffffd, "next command, 0 enable")   \
	R(b + 0x7c, 1, CH##n##_LINKADDRHI, RW, 0, 0, "next command, high word")         \
	R(b + 0x80, 1, CH##n##_GPOREAD0, RO, 0, 0xffffffff, "general purpose outputs")  \
	R(b + 0x88, 1, CH##n##_WRKREGPTR, RW, 0, 0xf, "which working register WRKREGVAL shows") \
	R(b + 0x8c, 1, CH##n##_WRKREGVAL, RO, 0, 0xffffffff, "what the command began with") \
	R(b + 0x90, 1, CH##n##_ERRINFO, RO, 0, 0x07ff009f, "0 bus, 1 configuration, 4:2 trigger selection error; 26:16 reasons") \
	R(b + 0xc8, 1, CH##n##_IIDR, RO, 0x3a00043b, 0xffffffff, "implementer")         \
	R(b + 0xcc, 1, CH##n##_AIDR, RO, 0, 0xff, "architecture")                       \
	R(b + 0xe8, 1, CH##n##_ISSUECAP, RW, 7, 7, "outstanding transfers")             \
	R(b + 0xf8, 1, CH##n##_BUILDCFG0, RO, 0x3c1f000f | DMA350_WIDEST << 22, 0xffffffff, "7:0 buffer, 21:16 address bits, 24:22 data width, 29:26 increment bits") \
	R(b + 0xfc, 1, CH##n##_BUILDCFG1, RO, 0x000007ff | DMA350_GPOS << 19, 0xffffffff, "10:0 all features, 11 no streams, 25:19 outputs")

/* Control frame of the Secure or the Non-secure channels. */
#define DMA350_CONTROL(R, b, n)                                                                \
	R(b + 0x00, 1, n##_CHINTRSTATUS0, RO, 0, 3, "channels with interrupts")                 \
	R(b + 0x08, 1, n##_STATUS, RW, 0, 0x000e000f, "3:0 interrupts; all channels 17 idle, 18 stopped, 19 paused") \
	R(b + 0x0c, 1, n##_CTRL, RW, 0, 0xf800030f, "3:0 interrupt enable; all channels 8 stop, 9 pause") \
	R(b + 0x14, 1, n##_CHPTR, RW, 0, 0x3f, "channel that CHCFG shows")                      \
	R(b + 0x18, 1, n##_CHCFG, RW, 0, 0x00020000, "17 privileged")                           \
	R(b + 0xf0, 1, n##_STATUSPTR, RW, 0, 0xf, "which status STATUSVAL shows")               \
	R(b + 0xf4, 1, n##_STATUSVAL, RO, 0, 0xffffffff, "state of the triggers")               \
	R(b + 0xf8, 1, n##_SIGNALPTR, RW, 0, 0xf, "which signal SIGNALVAL shows")               \
	R(b + 0xfc, 1, n##_SIGNALVAL, RO, 0, 0xffffffff, "signals of the triggers")

#define DMA350_REGS(R)                                                                         \
	R(0x000, 1, SCFG_CHSEC0, RW, 0, 3, "channels that are Non-secure")                      \
	R(0x008, 1, SCFG_TRIGINSEC0, RW, 0, 0xff, "trigger inputs that are Non-secure")         \
	R(0x028, 1, SCFG_TRIGOUTSEC0, RW, 0, 0xff, "trigger outputs that are Non-secure")       \
	R(0x040, 1, SCFG_CTRL, RW, 0, 0x80000003, "security violation: 0 interrupt, 1 response; 31 lock") \
	R(0x044, 1, SCFG_INTRSTATUS, W1C, 0, 0x00010001, "security violation")                  \
	DMA350_CONTROL(R, 0x100, SEC)                                                           \
	DMA350_CONTROL(R, 0x200, NSEC)                                                          \
	R(0xfb0, 1, DMA_BUILDCFG0, RO, 0x00007c00 | (DMA350_CHANNELS - 1) << 4 | DMA350_WIDEST << 16, 0xffffffff, "9:4 channels - 1, 15:10 address bits - 1, 18:16 data width") \
	R(0xfb4, 1, DMA_BUILDCFG1, RO, 0x00010000 | DMA350_TRIGGERS << 9 | DMA350_TRIGGERS, 0xffffffff, "8:0 trigger inputs, 15:9 outputs, 16 selectable") \
	R(0xfb8, 1, DMA_BUILDCFG2, RO, 0x00000100, 0xffffffff, "8 TrustZone")                   \
	R(0xfc8, 1, IIDR, RO, 0x3a00043b, 0xffffffff, "implementer")                            \
	R(0xfcc, 1, AIDR, RO, 0, 0xff, "architecture")                                          \
	DMA350_CHANNEL(R, 0x1000, 0)                                                            \
	DMA350_CHANNEL(R, 0x1100, 1)

enum { DMA350_REGS(REG_ENUM) };

extern const struct reg_row dma350_rows[];
extern const unsigned dma350_row_count;

/* CMD */
enum { CMD_ENABLE = 1, CMD_CLEAR = 2, CMD_DISABLE = 4, CMD_STOP = 8, CMD_PAUSE = 0x10, CMD_RESUME = 0x20,
       CMD_SOURCE_REQUEST = 1 << 16, CMD_DESTINATION_REQUEST = 1 << 20, CMD_ACKNOWLEDGE = 1 << 24 };
/* STATUS */
enum { STAT_DONE = 1 << 16, STAT_ERROR = 1 << 17, STAT_DISABLED = 1 << 18, STAT_STOPPED = 1 << 19,
       STAT_PAUSED = 1 << 20, STAT_RESUME_WAIT = 1 << 21, STAT_INPUT_WAIT = 1 << 24 /* and 25 */,
       STAT_ACK_WAIT = 1 << 26, STAT_ENDS = 0xf << 16, STAT_WAITS = 7 << 24 };
/* CTRL */
enum { CTRL_DONE_PAUSES = 1 << 24, CTRL_USE_INPUT = 1 << 25 /* and 26 */, CTRL_USE_OUTPUT = 1 << 27,
       CTRL_USE_GPO = 1 << 28 };
/* ERRINFO */
enum { ERROR_BUS = 1, ERROR_CONFIG = 2, ERROR_INPUT_TAKEN = 4 /* and 8 */, ERROR_OUTPUT_TAKEN = 0x10,
       ERROR_READ = 1 << 16, ERROR_WRITE = 1 << 17, ERROR_HEADER = 1 << 24, ERROR_VALUE = 1 << 25,
       ERROR_CONFLICT = 1 << 26 };
/* TRIGINCFG, TRIGOUTCFG: bits 9:8 */
enum { TRIGGER_SOFTWARE = 0, TRIGGER_HARDWARE = 2, TRIGGER_INTERNAL = 3 };
/* SRCTRANSCFG, DESTRANSCFG */
enum { TRANSFER_NONSECURE = 1 << 10, TRANSFER_PRIVILEGED = 1 << 11 };
/* SCFG_CTRL; SCFG_INTRSTATUS */
enum { VIOLATION_INTERRUPT = 1, VIOLATION_BUS_ERROR = 2, VIOLATION_STATUS = 1 << 16 };
/* SEC_CTRL, NSEC_CTRL */
enum { ALL_STOP = 1 << 8, ALL_PAUSE = 1 << 9 };

#endif
