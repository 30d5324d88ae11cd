/* SPDX-License-Identifier: Apache-2.0 */
/* Mbed TLS: AES in two modes, SHA-256 and SHA-512. */
#include "mbedtls/aes.h"
#include "mbedtls/sha256.h"
#include "mbedtls/sha512.h"
#include "real.h"

#define BYTES 16384

unsigned bench(void)
{
	unsigned char *text = malloc(BYTES), hash[64], iv[16] = { 1 }, key[32] = { 3, 5, 7 };
	unsigned sum = 0;
	mbedtls_aes_context aes;

	real_text((char *)text, BYTES);
	mbedtls_aes_init(&aes);
	for (int k = 0; k < 12; k++) {
		mbedtls_aes_setkey_enc(&aes, key, k & 1 ? 128 : 256);
		mbedtls_aes_crypt_cbc(&aes, MBEDTLS_AES_ENCRYPT, BYTES, iv, text, text);
		mbedtls_sha256(text, BYTES, hash, 0);
		sum = real_sum(sum, hash, 32);
		mbedtls_sha512(text, BYTES, hash, 0);
		sum = real_sum(sum, hash, 64);
	}
	return sum;
}
