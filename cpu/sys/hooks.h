/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks named by the register table scs.def, by the file that has them. Private to cpu/sys/. */
#ifndef CPU_SYS_HOOKS_H
#define CPU_SYS_HOOKS_H

#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"

/* scs.c */
SCS_WRITE(scs_ignore);
/* scs_control.c */
SCS_READ(ictr_read); SCS_READ(cpuid_read); SCS_READ(icsr_read); SCS_WRITE(icsr_write);
SCS_READ(aircr_read); SCS_WRITE(aircr_write); SCS_READ(scr_read); SCS_WRITE(scr_write);
SCS_READ(ccr_read); SCS_WRITE(ccr_write); SCS_READ(id_isar5_read); SCS_READ(clidr_read);
SCS_READ(ccsidr_read); SCS_WRITE(cache_op); SCS_READ(event_mask_read);
SCS_READ(ewic_numid_read);
/* scs_faults.c */
SCS_READ(shpr_read); SCS_WRITE(shpr_write); SCS_READ(shcsr_read); SCS_WRITE(shcsr_write);
SCS_READ(cfsr_read); SCS_WRITE(cfsr_write); SCS_READ(hfsr_read); SCS_WRITE(hfsr_write);
SCS_WRITE(dfsr_write); SCS_READ(bfar_read); SCS_WRITE(bfar_write); SCS_WRITE(sfsr_write);
/* scs_nvic.c */
SCS_READ(nvic_bits_read); SCS_WRITE(nvic_bits_write); SCS_READ(nvic_prio_read);
SCS_WRITE(nvic_prio_write); SCS_WRITE(stir_write);
/* scs_protect.c */
SCS_READ(mpu_type_read); SCS_WRITE(mpu_ctrl_write); SCS_WRITE(mpu_mair_write); SCS_READ(mpu_region_read);
SCS_WRITE(mpu_region_write); SCS_READ(sau_type_read); SCS_READ(sau_region_read);
SCS_WRITE(sau_region_write); SCS_WRITE(tcm_write); SCS_READ(tgu_cfg_read);
SCS_READ(tgu_lut_read); SCS_WRITE(tgu_lut_write);
/* scs_fp.c */
SCS_READ(cppwr_read); SCS_WRITE(cppwr_write); SCS_WRITE(cpacr_write); SCS_READ(nsacr_read); SCS_WRITE(nsacr_write); SCS_READ(fpccr_read);
SCS_WRITE(fpccr_write);
void fp_access_changed(struct cpu *c);
/* debug.c */
SCS_READ(dhcsr_read); SCS_READ(demcr_read); SCS_WRITE(demcr_write); SCS_READ(dscsr_read);
SCS_WRITE(dscemcr_write);
SCS_READ(dwt_comp_read); SCS_WRITE(dwt_comp_write); SCS_WRITE(fpb_ctrl_write);
SCS_READ(fpb_comp_read); SCS_WRITE(fpb_comp_write); SCS_READ(dwt_pcsr_read);
/* itm.c */
SCS_READ(itm_stim_read); SCS_WRITE(itm_stim_write);
/* dauth.c */
SCS_WRITE(dauthctrl_write); SCS_READ(dauthstatus_read);
/* counters.c, pmu.c */
SCS_READ(dwt_ctrl_read); SCS_WRITE(dwt_ctrl_write); SCS_READ(dwt_cyccnt_read);
SCS_WRITE(dwt_cyccnt_write); SCS_READ(dwt_profile_read); SCS_WRITE(dwt_profile_write);
SCS_READ(pmu_evcntr_read); SCS_WRITE(pmu_evcntr_write);
SCS_READ(pmu_ccntr_read); SCS_WRITE(pmu_ccntr_write); SCS_READ(pmu_evtyper_read);
SCS_WRITE(pmu_evtyper_write); SCS_READ(pmu_word_read); SCS_WRITE(pmu_word_write);
/* systick.c */
SCS_READ(systick_read); SCS_WRITE(systick_write);
#endif
