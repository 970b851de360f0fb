/*
 * Hashes as strings (XXH3-128 in hexadecimal), which are used for record keys, plug-ins and files.
 */
#ifndef FOUNDATION_HASH_H
#define FOUNDATION_HASH_H

#include <stddef.h>
#include <xxhash.h>

enum { SHK_HASH_SIZE = 33 }; /* 32 hexadecimal digits and the terminator */

void shk_hash_bytes(char hash[SHK_HASH_SIZE], const void *bytes, size_t count);

#endif
