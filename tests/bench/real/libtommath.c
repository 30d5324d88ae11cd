/* SPDX-License-Identifier: Apache-2.0 */
/* LibTomMath: modular powers and decimal numbers. */
#include "real.h"
#include "tommath.h"

unsigned bench(void)
{
	mp_int base, power, modulus, result;
	char text[400];
	unsigned sum = 0;

	if (mp_init_multi(&base, &power, &modulus, &result, NULL) != MP_OKAY)
		return 0xdead;
	mp_read_radix(&modulus, "F1E2D3C4B5A69788796A5B4C3D2E1F00112233445566778899AABBCCDDEEFF0123456789ABCDEF0F1E2D3C4B5A697887"
				"ACE02468BDF13579ACE02468BDF13579ACE02468BDF13579ACE02468BDF13579F", 16);
	mp_read_radix(&base, "123456789ABCDEF0FEDCBA98765432100F1E2D3C4B5A69788796A5B4C3D2E1F", 16);
	mp_read_radix(&power, "C0FFEE0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF", 16);
	for (int k = 0; k < 12; k++) {
		mp_exptmod(&base, &power, &modulus, &result);
		mp_to_radix(&result, text, sizeof(text), NULL, 10);
		sum = real_sum(sum, text, (unsigned)strlen(text));
		mp_add(&result, &base, &base);
	}
	return sum;
}
