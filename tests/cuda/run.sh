#!/usr/bin/env bash
# Emitted CUDA, without a device:
# - the very file runs on the CPU, compiled with the simulator in place of the runtime, and gives the interpreter's bytes;
# - faults.cu; device.cu, which on_device.sh runs where a device is;
# - nvcc takes the file for three architectures without a warning, and -fmad changes nothing;
# - kernels.txt tells how many kernels some programs have, how many registers their threads take, and how long they take at least;
# - the thread sanitizer follows the threads of a block: none race, and they do where barriers are missing.
# Every fourth program runs, but those that take long; nvcc compiles two, and counts no registers; threads of five are
# watched. FULL=1: all are. SHARE=K/N: the Kth of N shares. REQUIRE=cuda: without nvcc the test fails. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD FULL=${FULL:-}
simulator="-std=c++17 -Wall -Wextra -Werror -Wno-unknown-pragmas -Itests/simulator"

# PTX without what -fmad may write otherwise: sums, which are the same with and without the word.
ptx() { # STEM fmad
    nvcc -ptx -arch=compute_75 "-fmad=$2" "$1.cu" -o "$1.$2.ptx" && sed -E 's/\b(add|sub)\.rn\./\1./' "$1.$2.ptx" > "$1.$2"
}

# refuses STEM: options that change floats, where there are floats
refuses() {
    local option
    grep -q 'FLT_NEEDS_EXACT_FLOATS();' "$1.cu" || return 0
    for option in -use_fast_math -ftz=true -prec-sqrt=false; do
        ! nvcc -c -arch=sm_75 $option "$1.cu" -o "$1.loose.o" >> "$1.log" 2>&1 &&
            grep -q compile_without_use_fast_math "$1.log" || { echo "nvcc takes $option" > "$1.log"; return 1; }
    done
}

# one SCRATCH NUMBER FILE: "passed failed", what is wrong to standard error
one() {
    local stem=$1/filter_$2 number=$2 file=$3 passed=0 failed=0 compilers=1
    [ -z "$FULL" ] || compilers=2
    if ! "$BUILD/fltc" emit --target cuda "$file" -o "$stem.cu" > /dev/null 2> "$stem.log"; then
        grep -q 'E022[67]' "$stem.log" || { echo "FAIL $file: $(head -3 "$stem.log")" >&2; failed=1; }
        echo 0 $failed
        return
    fi
    # The header is C, and asks for nothing of CUDA's.
    if gcc -std=c99 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -x c "$stem.h" 2> "$stem.log"; then
        passed=1
    else
        echo "FAIL $stem.h: $(head -3 "$stem.log")" >&2
        failed=1
    fi
    if [ -n "$FULL" ] || { [ $((number % 4)) = 0 ] && [[ " $long " != *" $(basename "$file" .flt) "* ]]; }; then
        TARGET=cuda COMPILERS=$compilers FIRST_COMPILER=$((number / 4)) \
            "$BUILD/tests/emit/same_bytes" "$1/bytes_$number" "$file" > "$stem.bytes"
        # Some also for images of one size. One that stops early prints no line.
        local runs=1
        [ $((number % 16)) != 4 ] || runs=2
        [ $runs = 1 ] || SIZED=$((number / 16 % 6)) TARGET=cuda COMPILERS=1 \
            "$BUILD/tests/emit/same_bytes" "$1/sized_$number" "$file" >> "$stem.bytes"
        # shellcheck disable=SC2046
        set -- "$1" $(awk -v runs=$runs '{ passed += $(NF - 3); failed += $(NF - 1) } END { print passed + 0, failed + runs - NR }' "$stem.bytes")
        passed=$((passed + ${2:-0})) failed=$((failed + ${3:-1}))
    fi
    # It takes minutes for a transform.
    if [ -n "${NVCC:-}" ] && ! grep -q flt_unit_ "$stem.cu" && { [ -n "$FULL" ] || [[ " $chosen " == *" $file "* ]]; }; then
        if nvcc -c -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_120,code=sm_120 -Werror all-warnings \
            "$stem.cu" -o "$stem.o" > "$stem.log" 2>&1 && ptx "$stem" true && ptx "$stem" false &&
            cmp "$stem.true" "$stem.false" >> "$stem.log" 2>&1 && refuses "$stem"; then
            passed=$((passed + 1))
        else
            echo "FAIL $file: nvcc: $(head -3 "$stem.log")" >&2
            failed=$((failed + 1))
        fi
    fi
    echo $passed $failed
}
# structure SCRATCH NUMBER FILE KERNELS REGISTERS MICROSECONDS [inside | spills]: "passed failed" of tests/cuda/kernels.txt
structure() {
    local stem=$1/structure_$2 file=$3 passed=0 failed=0 kernels registers spills time
    "$BUILD/fltc" emit --target cuda "$file" -o "$stem.cu" > /dev/null 2> "$stem.log"
    kernels=$(grep '^static __global__' "$stem.cu" | grep -vc '_small(')
    if [ "$kernels" = "$4" ]; then
        passed=1
    else
        echo "FAIL $file: $kernels kernels in place of $4" >&2
        failed=1
    fi
    time=$(NVCC=/none "$BUILD/fltc" explain --target cuda --machine h200 "$file" |
        sed -nE 's/.* takes? (about )?([0-9.e+]+) us by these counts.*/\2/p')
    if awk -v time="$time" -v most="$6" 'BEGIN { exit !(time != "" && (most == "-" || time + 0 <= most)) }'; then
        passed=$((passed + 1))
    else
        echo "FAIL $file: ${time:-no} us where $6 are allowed" >&2
        failed=$((failed + 1))
    fi
    if [ "${7:-}" = inside ]; then
        awk '/if \(in_stride_x == 1/ { inside = 1 } /^ *} else {/ { inside = 0 } inside' "$stem.cu" > "$stem.inside"
        if [ -s "$stem.inside" ] && ! grep -nE 'flt_(floor|min|max)_| [/%] ' "$stem.inside" >&2; then
            passed=$((passed + 1))
        else
            echo "FAIL $file: border arithmetic inside" >&2
            failed=$((failed + 1))
        fi
    fi
    if [ -n "$FULL" ] && [ -n "${NVCC:-}" ]; then
        nvcc -cubin -arch=sm_90 -O3 -Xptxas -v "$stem.cu" -o "$stem.cubin" > "$stem.ptxas" 2>&1
        read -r registers spills < <(awk '/Compiling entry function/ { other = /_small/ || /IlEv/ }
            !other && /[1-9][0-9]* bytes (stack|spill)/ { spills = 1 }
            !other && match($0, /Used [0-9]+/) { n = substr($0, RSTART + 5, RLENGTH - 5) + 0; most = n > most ? n : most }
            END { print most + 0, spills + 0 }' "$stem.ptxas")
        if [ "$registers" -gt 0 ] && [ "$registers" -le "$5" ] && { [ "${7:-}" = spills ] || [ "$spills" = 0 ]; }; then
            passed=$((passed + 1))
        else
            echo "FAIL $file: $registers registers where $5 are allowed; spills: $spills" >&2
            failed=$((failed + 1))
        fi
    fi
    echo $passed $failed
}
# build_trials PROGRAM SOURCE SIMULATOR FLAG...: PROGRAM/run, of SOURCE in the folder PROGRAM of prepare.sh
build_trials() {
    local program=$1 source=$2 object=$3
    shift 3
    # shellcheck disable=SC2086
    g++ $simulator -O1 "$@" "-I$program" -Iruntime/include -x c++ "$program/../device.cu" "$program/$source" -x none "$object" -o "$program/run"
}
# races SCRATCH PATTERN [fault]: "passed failed": threads of a block race nowhere; without their barriers (fault) they do
races() {
    local folder=$1/races_${2//\//_}${3:-} passed=0 failed=0 program
    if ! bash tests/cuda/prepare.sh "$folder" "$2" > "$folder.log"; then
        cat "$folder.log" >&2
        echo 0 1
        return
    fi
    for program in "$folder"/*/trials; do
        [ -e "$program" ] || continue
        program=${program%/trials}
        [ -z "${3:-}" ] || sed -i 's/__syncthreads();/;/' "$program/filter.cu"
        if ! build_trials "$program" filter.cu "$1/races.o" -Wno-unused-parameter -g -fsanitize=thread 2> "$program.log"; then
            echo "FAIL $program: $(head -3 "$program.log")" >&2
            failed=$((failed + 1))
        elif [ -z "${3:-}" ]; then
            if "$program/run" check "$program/trials" > "$program.log" 2>&1; then
                passed=$((passed + 1))
            else
                echo "FAIL $2: threads race: $(grep -m 1 -A 3 'WARNING' "$program.log"; tail -1 "$program.log")" >&2
                failed=$((failed + 1))
            fi
        elif "$program/run" check "$program/trials" 2>&1 | grep -q 'ThreadSanitizer: data race'; then
            passed=$((passed + 1))
        else
            echo "FAIL $2: no race is reported where barriers are missing" >&2
            failed=$((failed + 1))
        fi
    done
    echo $passed $failed
}
# planted PROGRAM SIMULATOR FAULT PATTERN: "passed failed": the program's trials notice what sed's PATTERN does to it
planted() {
    local program=$1
    sed "$4" "$program/filter.cu" > "$program/faulty.cu"
    if cmp -s "$program/filter.cu" "$program/faulty.cu"; then
        echo "FAIL $3: nothing was planted" >&2
        echo 0 1
    elif ! build_trials "$program" faulty.cu "$2" -Wno-unused 2> "$program/log"; then
        cat "$program/log" >&2
        echo 0 1
    elif "$program/run" check "$program/trials" > "$program/log" 2>&1; then
        echo "FAIL $3 is not noticed" >&2
        echo 0 1
    else
        echo 1 0
    fi
}
export PATH=$PATH:/usr/local/cuda/bin
export chosen="examples/unsharp/unsharp.flt tests/emit/elementary.flt"
export long="convolutions canny lines_together blocks_behind lines renamed_lines volume"
if [ "${1:-}" = one ]; then
    shift
    one "$@"
    exit
fi
if [ "${1:-}" = races ]; then
    shift
    races "$@"
    exit
fi
if [ "${1:-}" = structure ]; then
    shift
    structure "$@"
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
if command -v nvcc > /dev/null; then
    export NVCC=1
else
    echo "SKIP cuda: nvcc not found"
    [[ ",${REQUIRE:-}," != *,cuda,* ]] || failed=1
fi
gcc -O1 -g -c tests/simulator/simulator.c -o "$scratch/simulator.o" || exit 1

# fltc explain reads what ptxas says of the machine code, without coordinates of 64 bits.
if [ -n "${NVCC:-}" ]; then
    "$BUILD/fltc" emit --target cuda examples/unsharp/unsharp.flt -o "$scratch/told.cu"
    said=$(nvcc -cubin -arch=sm_90 -O3 -Xptxas -v "$scratch/told.cu" -o "$scratch/told.cubin" 2>&1 |
        awk '/Compiling entry function/ { own = /IiEv/ } own && match($0, /Used [0-9]+/) { print substr($0, RSTART + 5, RLENGTH - 5) }')
    env -u NVCC "$BUILD/fltc" explain --target cuda --machine h200 examples/unsharp/unsharp.flt > "$scratch/explained"
    grep -q "^ *$said registers, [1-9][0-9]* instructions; a multiprocessor has [1-9]" "$scratch/explained" ||
        { echo "FAIL fltc explain: not $said registers: $(grep registers "$scratch/explained")" >&2; failed=1; }
fi

# Faults, by themselves and watched.
"$BUILD/fltc" emit --target cuda tests/cuda/several.flt -o "$scratch/several.cu" || exit 1
# shellcheck disable=SC2086
g++ $simulator -O1 -g -fsanitize=address,undefined "-I$scratch" -DFLT_DEBUG -x c++ tests/cuda/faults.cu "$scratch/several.cu" \
    -x none "$scratch/simulator.o" -o "$scratch/faults" && "$scratch/faults" 2> "$scratch/log" ||
    { cat "$scratch/log" >&2; failed=1; }

# fltc tune asks the device's clock, which says 1 ms of each run here.
gcc -O1 -fPIC -c tests/simulator/simulator.c -o "$scratch/library.o" || exit 1
cat > "$scratch/nvcc" << EOF
#!/bin/sh
[ "\$1" = --version ] && echo simulator && exit
for word; do
    [ "\$before" != -o ] || out=\$word
    case \$word in *.cu) file=\$word ;; esac
    before=\$word
done
exec g++ -std=c++17 -w -O1 -I$PWD/tests/simulator -shared -fPIC -Wl,-Bsymbolic -x c++ "\$file" -x none $scratch/library.o -o "\$out"
EOF
chmod +x "$scratch/nvcc"
{ printf 'P5\n24 16\n255\n' && head -c 384 tests/cuda/run.sh; } > "$scratch/gray.pgm"
XDG_CACHE_HOME=$scratch NVCC=$scratch/nvcc "$BUILD/fltc" tune --target cuda tests/simulator/sharpen.flt "$scratch/gray.pgm" --seconds 9 \
    --choice block_x=16 > "$scratch/tuned" 2> "$scratch/log" && grep -q "1 ms of the device's by" "$scratch/log" &&
    grep -qE 'of ([2-9]|[1-9][0-9]+) that were tried none is faster' "$scratch/log" && grep -q -e '--choice block_x=16\.$' "$scratch/tuned" ||
    { cat "$scratch/log" "$scratch/tuned" >&2; failed=$((failed + 1)); }

# What goes to a machine with a device.
LARGE=1 bash tests/cuda/prepare.sh "$scratch/device" examples/unsharp > "$scratch/log" || { cat "$scratch/log"; exit 1; }
program=$scratch/device/example_unsharp
build_trials "$program" filter.cu "$scratch/simulator.o" &&
    "$program/run" check "$program/trials" > "$scratch/log" &&
    "$program/run" time "$program/trials" 9 9 >> "$scratch/log" ||
    { cat "$scratch/log" >&2; failed=$((failed + 1)); }

# Faults of the kind that passes may make.
{
    planted "$program" "$scratch/simulator.o" "a bound of the inside" 's/(64 \* x_block + 65) <= in_x/(64 * x_block + 64) <= in_x/'
    planted "$program" "$scratch/simulator.o" "a sample of an access" 's/&in_beside\[1\]);/\&in_beside[2]);/'
    planted "$program" "$scratch/simulator.o" "a bound of the edges" 's/< (int32_t)in_x)/< (int32_t)in_x - 1)/'
    planted "$program" "$scratch/simulator.o" "a copy to the device" '/: cudaMemcpy(device/,/;/{ s/: cudaMemcpy.*/: cudaSuccess;/; /: cudaSuccess/!d }'
    planted "$program" "$scratch/simulator.o" "a copy to the host" '/: cudaMemcpy(flt_to/,/;/{ s/: cudaMemcpy.*/: cudaSuccess;/; /: cudaSuccess/!d }'
    planted "$program" "$scratch/simulator.o" "rows to the device" '/? cudaMemcpy2D(device/,/HostToDevice)/{ s/? cudaMemcpy2D.*/? cudaSuccess/; /? cudaSuccess/!d }'
    planted "$program" "$scratch/simulator.o" "rows to the host" '/? cudaMemcpy2D(flt_to/,/DeviceToHost)/{ s/? cudaMemcpy2D.*/? cudaSuccess/; /? cudaSuccess/!d }'
} > "$scratch/planted"

# Images with blocks far from borders, where threads load and store samples beside each other at once.
for name in sobel gaussian5 median3 harris; do
    LARGE=1 TARGET=cuda COMPILERS=1 "$BUILD/tests/emit/same_bytes" "$scratch/large" "tests/bench/workloads/$name.flt" > "$scratch/log" 2>&1 ||
        { cat "$scratch/log" >&2; failed=$((failed + 1)); }
done

# doc/cuda shows what is emitted, without the lines that tell fltc's version and the hash of the source.
for file in examples/unsharp/unsharp.flt tests/bench/workloads/equalization.flt tests/bench/workloads/sums.flt; do
    shown=doc/cuda/$(basename "$file" .flt).cu
    "$BUILD/fltc" emit --target cuda "$file" -o "$scratch/$(basename "$shown")" > /dev/null || exit 1
    sed -i 1,2d "$scratch/$(basename "$shown")"
    [ -z "${UPDATE:-}" ] || cp "$scratch/$(basename "$shown")" "$shown"
    cmp "$scratch/$(basename "$shown")" "$shown" > /dev/null ||
        { echo "FAIL $shown is not what is emitted: UPDATE=1 makes it anew" >&2; failed=$((failed + 1)); }
done

share=${SHARE:-1/1}
ls tests/emit/*.flt examples/*/*.flt | awk -v number="${share%/*}" -v count="${share#*/}" \
    'NR % count == number % count { print NR, $0 }' > "$scratch/share"
< "$scratch/share" xargs -r -P "${JOBS:-$(nproc)}" -L 1 bash tests/cuda/run.sh one "$scratch" > "$scratch/results"
grep -v '^#' tests/cuda/kernels.txt | awk -v number="${share%/*}" -v count="${share#*/}" \
    'NR % count == number % count { print NR, $0 }' > "$scratch/structures"
< "$scratch/structures" xargs -r -P "${JOBS:-$(nproc)}" -L 1 bash tests/cuda/run.sh structure "$scratch" >> "$scratch/results"
{
    echo "workloads/sums.flt fault"
    if [ -n "$FULL" ]; then
        ls tests/emit/*.flt examples/*/*.flt tests/bench/workloads/*.flt
    else
        printf '%s\n' workloads/sums.flt workloads/bicubic.flt examples/otsu emit/short_recurrences.flt
    fi
} | awk -v number="${share%/*}" -v count="${share#*/}" 'NR % count == number % count' > "$scratch/races"
gcc -O1 -g -DSIM_RACES -c tests/simulator/simulator.c -o "$scratch/races.o" || exit 1
cat "$scratch/planted" >> "$scratch/results"
cat "$scratch/planted" >> "$scratch/share"
< "$scratch/races" xargs -r -P "${JOBS:-$(nproc)}" -L 1 bash tests/cuda/run.sh races "$scratch" >> "$scratch/results"
cat "$scratch/structures" "$scratch/races" >> "$scratch/share"
passed=$(awk '{ n += $1 } END { print n + 0 }' "$scratch/results")
failed=$((failed + $(awk '{ n += $2 } END { print n + 0 }' "$scratch/results") +
    $(wc -l < "$scratch/share") - $(wc -l < "$scratch/results")))
echo "cuda: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
