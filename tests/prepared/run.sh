#!/usr/bin/env bash
# prepared.c against emitted code: under AddressSanitizer and UndefinedBehaviorSanitizer, under ThreadSanitizer, with OpenMP;
# emitted code as C++. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
warnings="-std=c11 -D_GNU_SOURCE -g -Wall -Wextra -Wshadow -Werror -fmax-errors=3 -I$scratch -Wl,--wrap=malloc"
sed 's/filter other/filter twin/' other.flt > "$scratch/twin.flt"
for filter in tabled other "$scratch/twin"; do
    "$BUILD/fltc" emit "$filter.flt" -o "$scratch/" || exit 1
    # shellcheck disable=SC2086
    g++ -x c++ -Wall -Wextra -Werror -c "$scratch/${filter##*/}.c" -o "$scratch/unused.o" || bad=1
done
# shellcheck disable=SC2086
gcc $warnings -c "$scratch/other.c" -o "$scratch/other.o" && gcc $warnings -c "$scratch/twin.c" -o "$scratch/twin.o" || bad=1
for way in "-O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined" "-O0 -fsanitize=thread" "-O1 -fopenmp"; do
    # shellcheck disable=SC2086
    gcc $warnings $way prepared.c "$scratch"/{tabled.c,other.o,twin.o} -lm -lpthread -o "$scratch/prepared" &&
        "$scratch/prepared" || bad=1
done
exit $bad
