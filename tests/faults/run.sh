#!/usr/bin/env bash
# faults.c against emitted code, under AddressSanitizer and UndefinedBehaviorSanitizer. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$BUILD/fltc" emit faulty.flt -o "$scratch/faulty.c" || exit 1
gcc -std=c11 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    -I"$scratch" faults.c "$scratch/faulty.c" -lm -o "$scratch/faults" && "$scratch/faults"
