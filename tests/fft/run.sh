#!/usr/bin/env bash
# Filters whose transforms are a library's: faults.c with a table of its own, compare.c with FFTW and KissFFT where they
# are installed, both under AddressSanitizer and UndefinedBehaviorSanitizer. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
runtime=../../runtime
warnings="-std=c11 -D_GNU_SOURCE -g -Wall -Wextra -Wshadow -Wconversion -Werror -I$scratch -I$runtime/include"
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
sed 's/filter kinds/filter given/' kinds.flt > "$scratch/given.flt"
sed 's/filter wide/filter given_wide/' wide.flt > "$scratch/given_wide.flt"
for filter in kinds wide; do
    "$BUILD/fltc" emit $filter.flt -o "$scratch/$filter.c" || exit 1
done
for filter in given given_wide; do
    "$BUILD/fltc" emit --fft given "$scratch/$filter.flt" -o "$scratch/$filter.c" || exit 1
    g++ -xc++ -std=c++17 -Wall -Wextra -Werror -I"$runtime/include" -c "$scratch/$filter.c" -o "$scratch/unused.o" || bad=1
done
"$BUILD/fltc" emit --fft given --cpu multi "$scratch/given.flt" -o "$scratch/multi.c" &&
    gcc -std=c99 -O1 -Wall -Wextra -Werror -I"$runtime/include" -c "$scratch/multi.c" -o "$scratch/unused.o" || bad=1
# An image may be called as the opened filter is.
echo 'filter called(opened : image<f32>[y, x]) -> out : image<f32>[y, x] { out = dct(opened, [y], norm = ortho); }' \
    > "$scratch/called.flt"
"$BUILD/fltc" emit --fft given "$scratch/called.flt" -o "$scratch/called.c" &&
    gcc -std=c99 -Wall -Wextra -Werror -I"$runtime/include" -c "$scratch/called.c" -o "$scratch/unused.o" || bad=1
# Nothing of the filter's own transform is left.
grep -nE 'flt_(unit|steps|parts|alone|any_line|step[0-9a-z_]*|take_step)_f32|flt_root_of\(.*steps' "$scratch/given.c" && bad=1

# Filters with their own transforms are watched elsewhere.
for filter in kinds wide given given_wide; do
    watch=$sanitizers
    [ "${filter#given}" != "$filter" ] || watch=
    # shellcheck disable=SC2086
    gcc $warnings $watch -O1 -fopenmp -c "$scratch/$filter.c" -o "$scratch/$filter.o" || bad=1
done

# shellcheck disable=SC2086
gcc $warnings $sanitizers -fopenmp -Wl,--wrap=malloc,--wrap=calloc faults.c "$scratch"/{wide,given_wide}.o -lm \
    -o "$scratch/faults" && "$scratch/faults" || bad=1

libraries='' sources=''
add_library() { # NAME PACKAGES
    if pkg-config --exists $2; then
        libraries="$libraries -DWITH_${1^^} $(pkg-config --cflags --libs $2)"
        sources="$sources $runtime/fft/$1.c"
    else
        echo "fft: $1 is not tried: pkg-config knows no $2"
    fi
}
add_library fftw "fftw3 fftw3f"
add_library kissfft kissfft-float
# shellcheck disable=SC2086
gcc $warnings $sanitizers -O1 -fopenmp compare.c $sources "$scratch"/{kinds,given,wide,given_wide}.o $libraries -lm -lpthread \
    -o "$scratch/compare" && "$scratch/compare" || bad=1
exit $bad
