#!/usr/bin/env bash
# faults.c against emitted code, under AddressSanitizer and UndefinedBehaviorSanitizer; crowd.c with and without OpenMP, and
# with as many threads by default, in little memory; numbers of statuses.
# BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
warnings="-std=c11 -g -Wall -Wextra -Wshadow -Werror -I$scratch"
"$BUILD/fltc" emit faulty.flt -o "$scratch/faulty.c" && "$BUILD/fltc" emit crowd.flt -o "$scratch/crowd.c" || exit 1
# shellcheck disable=SC2086
gcc $warnings -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    faults.c "$scratch/faulty.c" -lm -o "$scratch/faults" && "$scratch/faults" || bad=1
# shellcheck disable=SC2086
gcc $warnings -O2 crowd.c "$scratch/crowd.c" -lm -o "$scratch/alone" && "$scratch/alone" || bad=1
# shellcheck disable=SC2086
gcc $warnings -O2 -fopenmp crowd.c "$scratch/crowd.c" -lm -o "$scratch/crowd" &&
    "$scratch/crowd" && (ulimit -v 1000000 && OMP_NUM_THREADS=100000 "$scratch/crowd") || bad=1
bash statuses.sh || bad=1
exit $bad
