#!/usr/bin/env bash
# Emitted files in builds that their author does not choose: several in one translation unit, whose other code keeps its
# options; C libraries that declare less; machines of 32 bits. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
check() { # what, command that succeeds
    local what=$1
    shift
    if "$@" > "$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        echo "FAIL emit: $what: $(head -3 "$scratch/log")" >&2
        failed=$((failed + 1))
    fi
}
emit() { "$BUILD/fltc" emit "$@" || failed=$((failed + 1)); }
for name in short_recurrences short_sums scalar; do
    emit "$name.flt" -o "$scratch/$name.c"
done
emit --cpu multi truth.flt -o "$scratch/truth.c"
emit --filter look ../../examples/particles/look.flt -o "$scratch/look.c"
emit --filter cells ../../examples/cells/cells.flt -o "$scratch/cells.c"
cat > "$scratch/integers.flt" << 'END'
filter integers(in : image<u8>[y, x]) -> out : image<u8>[y, x] { border clamp; out[y, x] = median[i in -1 .. 1, j in -1 .. 1](in[y + i, x + j]); }
END
emit "$scratch/integers.flt" -o "$scratch/integers.c"
# two filters whose tables have one name
for name in rising falling; do
    echo "filter $name(in : image<u8>[x]) -> out : image<u8>[x] { const k[i in 0 .. 3] : u8 = {1, 2, 3, 4}; out[x] = k[in[x] % 4]; }" > "$scratch/$name.flt"
    emit --interface --boxes "$scratch/$name.flt" -o "$scratch/$name.c"
done

# unit FILE...: a translation unit of these, with code before and behind that has the options of the command
unit() {
    echo '#include <stdio.h>'
    echo 'float before(float a, float b, float c);'
    echo 'float before(float a, float b, float c) { return a * b + c / 3.0f; }'
    printf '#include "%s.c"\n' "$@"
    echo 'float behind(float a, float b, float c);'
    echo 'float behind(float a, float b, float c) { return a * b + c / 3.0f; }'
}
unit short_recurrences scalar > "$scratch/two.c"
unit integers truth short_recurrences scalar short_sums > "$scratch/five.c"
unit look cells short_recurrences > "$scratch/particles.c"
unit rising falling > "$scratch/tables.c"
for unit in two five particles tables; do
    for way in "gcc -fopenmp" "gcc -std=c99 -pedantic" "g++ -x c++ -fopenmp" "clang -std=c99" "clang++ -x c++ -fopenmp"; do
        # shellcheck disable=SC2086
        check "$unit: $way" $way -fsyntax-only -Wall -Wextra -Werror -I"$scratch" "$scratch/$unit.c"
    done
done
# The instructions of a function, without addresses.
code() { sed -n "/^$2:/,/ret/p" "$1" | grep -E '^\s[a-z]' | grep -v cfi | awk '{ print $1 }' | tr '\n' ' '; }
# options COMPILER...: both functions are compiled alike, and the second one with these options
keeps() {
    "$@" -O2 -w -I"$scratch" -S "$scratch/two.c" -o "$scratch/two.s" &&
        [ "$(code "$scratch/two.s" before)" = "$(code "$scratch/two.s" behind)" ] && [ -n "$(code "$scratch/two.s" before)" ]
}
for options in -O2 -freciprocal-math -mfma "-mfma -ffp-contract=off" "-funsafe-math-optimizations -mfma"; do
    for compiler in gcc clang; do
        # shellcheck disable=SC2086
        check "code behind a file, $compiler $options" keeps $compiler $options
    done
done

# Linux without what chooses processors: Android before API 36, small C libraries.
for missing in pthread_setaffinity_np "sched_setaffinity -UCPU_COUNT"; do
    # shellcheck disable=SC2086
    check "without $missing" gcc -O2 -fopenmp -D__ANDROID__ -D${missing%% *}=not_in_this_library \
        -Werror=implicit-function-declaration -c "$scratch/integers.c" -o "$scratch/o.o"
done
check "declarations of POSIX are hidden" gcc -std=c99 -pedantic -Wall -Wextra -Werror -O1 -fopenmp -include stdio.h \
    -c "$scratch/short_recurrences.c" -o "$scratch/o.o"

# Registers that are wider than floats matter to floats alone.
if gcc -m32 -x c -fsyntax-only -include stdio.h /dev/null 2> /dev/null; then
    check "integers in 32 bits" gcc -m32 -O1 -c "$scratch/integers.c" -o "$scratch/o.o"
    check "floats in 32 bits" gcc -m32 -msse2 -mfpmath=sse -O1 -c "$scratch/short_recurrences.c" -o "$scratch/o.o"
    gcc -m32 -mfpmath=387 -c "$scratch/short_recurrences.c" -o "$scratch/o.o" 2> "$scratch/refusal"
    check "wide registers" grep -q 'mfpmath=sse' "$scratch/refusal"
fi
check "integers in wide registers" gcc -mfpmath=387 -c "$scratch/integers.c" -o "$scratch/o.o"
gcc -mfpmath=387 -c "$scratch/short_recurrences.c" -o "$scratch/o.o" 2> "$scratch/refusal"
check "floats in wide registers" grep -q 'mfpmath=sse' "$scratch/refusal"
if command -v musl-gcc > /dev/null; then
    check "musl" musl-gcc -std=c99 -pedantic -Wall -Wextra -Werror -O1 -c "$scratch/short_recurrences.c" -o "$scratch/o.o"
fi
echo "units: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
