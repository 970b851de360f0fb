/*
 * Hashes as text: XXH3-128 in hexadecimal. Keys of records, plug-ins, files.
 */
#ifndef FOUNDATION_HASH_H
#define FOUNDATION_HASH_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <xxhash.h>

enum { SHK_HASH_SIZE = 33 }; /* 32 hexadecimal digits and the end */

void shk_hash_print(char hash[SHK_HASH_SIZE], XXH128_hash_t value);
void shk_hash_bytes(char hash[SHK_HASH_SIZE], const void *bytes, size_t count);
/* False with the reason if the file cannot be read. */
bool shk_hash_file(char hash[SHK_HASH_SIZE], const char *path, struct shk_message *error);

#endif
