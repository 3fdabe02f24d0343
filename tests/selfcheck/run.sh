#!/usr/bin/env bash
# NAME_self_check of emitted files: it passes by every compiler and for every processor that is there, on PoCL and on
# the simulator of CUDA's kernels; it catches builds whose floats are loose. Emitted files refuse or undo loose options,
# so they are taken their defences first. By turns a program is compiled in one way, for one processor, and loosened in
# one way; FULL=1: all in all ways. SHARE=K/N: the Kth of N shares of the programs. WASI_SYSROOT=folder of wasi-libc,
# TCC=command: if not those of the system. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD FULL=${FULL:-}

c99="-std=c99 -pedantic -Wall -Wextra -Wconversion -Werror"
cpp="-x c++ -Wall -Wextra -Werror"
ways=("gcc $c99 -O2" "clang $c99 -O1 -fopenmp" "g++ $cpp -O1" "gcc $c99 -O3 -march=native -fopenmp" "clang++ $cpp -O2"
    "gcc $c99 -O1 -fsanitize=address,undefined -fno-sanitize-recover=all" "gcc $c99 -O0 -m64")
machines=(aarch64 s390x wasm32 tcc)
# How floats are loosened: by options, or by what a caller has set SSE to: to flush subnormal numbers, to round up. gcc 12
# takes (double)(float)v for v in vectors of statements, whatever the options: not what is tried here.
declare -A loose=([F]="gcc -O1 -ffast-math" [C]="clang -O1 -mfma -ffast-math" [S]="gcc -O1 -ffp-contract=off -DFLT_SSE=0x9fc0"
    [U]="gcc -O1 -ffp-contract=off -DFLT_SSE=0x5f80" [K]="gcc -O2 -fno-tree-slp-vectorize -mfma -ffp-contract=fast")
# Programs, and what changes their results.
programs=(unsharp/unsharp:U blending/blending:FCUK biquad/biquad:FCSU clahe/clahe:FCU guided/guided:FCSU canny/canny:FC
    frequency/frequency:FCU defocus/defocus:FCUK denoise/denoise:FCU glow/glow:CU resize/resize:FSU pyramid/pyramid:FCSU
    tone/tone:FCSU volume/volume:FCSU camera/camera:FCU dog/dog:FCU distance/distance:FCU warm/warm:SU wavelet/wavelet:FU
    local_laplacian/local_laplacian:FCSU)

machine() { # NAME SOURCES OUTPUT: compiles and runs; 77: it is not there
    local name=$1 out=$3 wasi=${WASI_SYSROOT:-/usr} library
    local -a sources
    read -ra sources <<< "$2"
    case $name in
    aarch64 | s390x)
        command -v "$name-linux-gnu-gcc" > "$out.found" && command -v "qemu-$name" > "$out.found" || return 77
        "$name-linux-gnu-gcc" -O1 -w -static "${sources[@]}" -o "$out" -lm && "qemu-$name" "$out"
        ;;
    wasm32)
        library=$(find "$wasi/lib" -name 'libclang_rt.builtins-wasm32.a' -print -quit 2> "$out.found")
        [ -d "$wasi/include/wasm32-wasi" ] && [ -n "$library" ] && command -v node > "$out.found" || return 77
        clang --target=wasm32-wasi "--sysroot=$wasi" -O1 -w -nodefaultlibs "${sources[@]}" -o "$out" -lm -lc "$library" &&
            node --no-warnings tests/selfcheck/wasi.mjs "$out"
        ;;
    tcc)
        command -v "${TCC:-tcc}" > "$out.found" || return 77
        "${TCC:-tcc}" "${sources[@]}" -o "$out" -lm && "$out"
        ;;
    esac
}

# one SCRATCH NUMBER PROGRAM:LETTERS: "passed failed", what is wrong to standard error
one() {
    local stem=$1/$2 number=$2 file=examples/${3%:*}.flt letters=${3#*:} passed=0 failed=0 name status i letter
    mkdir "$stem"
    # NAME of the filter that is emitted to f.c and f.h
    if ! "$BUILD/fltc" emit --self-check "$file" -o "$stem/f.c" 2> "$stem/log"; then
        echo "FAIL $file: $(head -3 "$stem/log")" >&2
        echo 0 1
        return
    fi
    name=$(sed -n 's/^int \([a-zA-Z0-9_]*\)_self_check(int threads);/\1/p' "$stem/f.h")
    printf '#include "f.h"\nint main(void)\n{\n    return %s_self_check(2) & 255;\n}\n' "$name" > "$stem/main.c"
    judge() { # WHETHER WHAT
        if [ "$1" -eq 0 ]; then
            passed=$((passed + 1))
        else
            echo "FAIL $file: $2: status $status $(head -3 "$stem/log")" >&2
            failed=$((failed + 1))
        fi
    }
    for ((i = 0; i < ${#ways[@]}; i++)); do
        [ -n "$FULL" ] || [ $((number % ${#ways[@]})) -eq "$i" ] || continue
        # shellcheck disable=SC2086
        ${ways[i]} "-I$stem" "$stem/main.c" "$stem/f.c" -o "$stem/run" -lm 2> "$stem/log" && "$stem/run" 2> "$stem/log"
        status=$?
        judge $status "${ways[i]}"
    done
    for ((i = 0; i < ${#machines[@]}; i++)); do
        [ -n "$FULL" ] || [ $((number % ${#machines[@]})) -eq "$i" ] || continue
        machine "${machines[i]}" "-I$stem $stem/main.c $stem/f.c" "$stem/run" > "$stem/log" 2>&1
        status=$?
        if [ $status -eq 77 ]; then
            echo "${machines[i]}" >> "$1/skipped"
        else
            judge $status "${machines[i]}"
        fi
    done
    # Without what undoes and refuses options, and with what SSE is set to as it is told.
    sed -e '/^#pragma GCC optimize/d; /^#pragma STDC FP_CONTRACT/d; /^#pragma float_control/d; s/^#error.*//' \
        -e 's/^#define \(FLT_LOOSE\|FLT_FUSED_V3\) .*/#define \1 0/' \
        -e 's/^#define FLT_SSE 0x1f80/#ifndef FLT_SSE\n&\n#endif/; /^#undef FLT_SSE$/d' "$stem/f.c" > "$stem/open.c"
    gcc -O1 -c "-I$stem" "$stem/main.c" -o "$stem/main.o"
    for ((i = 0; i < ${#letters}; i++)); do
        [ -n "$FULL" ] || [ $((number % ${#letters})) -eq "$i" ] || continue
        letter=${letters:i:1}
        [ "$(uname -m)" = x86_64 ] || [[ $letter == [FC] ]] || continue
        # shellcheck disable=SC2086
        ${loose[$letter]} -w "-I$stem" "$stem/main.o" "$stem/open.c" -o "$stem/loose" -lm 2> "$stem/log" && {
            "$stem/loose"
            status=$?
            judge $((status == 0)) "loose floats are not caught: ${loose[$letter]}"
        }
    done
    # A build with no defences, and no options either, is right.
    gcc -O1 -ffp-contract=off -w "-I$stem" "$stem/main.o" "$stem/open.c" -o "$stem/run" -lm 2> "$stem/log" && "$stem/run"
    status=$?
    judge $status "the file without its defences"
    echo "$passed $failed"
}
if [ "${1:-}" = one ]; then
    shift
    one "$@"
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
judge() { # WHAT: of the last command
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "FAIL selfcheck: $1 $(head -5 "$scratch/log")" >&2
        failed=$((failed + 1))
    fi
}
share=${SHARE:-1/1}
printf '%s\n' "${programs[@]}" | nl -w 1 -s ' ' | awk -v number="${share%/*}" -v count="${share#*/}" \
    'NR % count == number % count' > "$scratch/share"
< "$scratch/share" xargs -P "$(nproc)" -L 1 bash tests/selfcheck/run.sh one "$scratch" > "$scratch/results"
passed=$(awk '{ n += $1 } END { print n + 0 }' "$scratch/results")
failed=$(($(awk '{ n += $2 } END { print n + 0 }' "$scratch/results") + $(wc -l < "$scratch/share") - $(wc -l < "$scratch/results")))
[ ! -f "$scratch/skipped" ] || echo "SKIP selfcheck: not installed: $(sort -u "$scratch/skipped" | paste -sd ' ')"

# What belongs to no program. The memory that it takes; a hash that is wrong.
emit() { # ARGUMENTS
    "$BUILD/fltc" emit --self-check "$@" 2> "$scratch/log"
}
emit examples/unsharp/unsharp.flt -o "$scratch/unsharp.c" &&
    gcc -O0 -DCHECK=unsharp_self_check -Wl,--wrap=malloc,--wrap=free tests/selfcheck/memory.c "$scratch/unsharp.c" \
        -o "$scratch/run" -lm 2> "$scratch/log" && "$scratch/run" 2> "$scratch/log"
judge "memory that is short"
printf '#include "unsharp.h"\nint main(void) { return unsharp_self_check(1); }\n' > "$scratch/main.c"
for n in 1 2 3 4; do # each trial counts
    awk -v n=$n '/UINT64_C\(0x[0-9a-f]+\)},$/ && ++k == n { sub(/UINT64_C\(0x/, "UINT64_C(1 ^ 0x") } { print }' \
        "$scratch/unsharp.c" > "$scratch/wrong.c"
    gcc -O0 "-I$scratch" "$scratch/main.c" "$scratch/wrong.c" -o "$scratch/run" -lm 2> "$scratch/log" && "$scratch/run"
    [ $? -eq 12 ]
    judge "a wrong hash of trial $n"
done
# The same text in every run, and without the option none of it.
mkdir "$scratch/again" && emit examples/unsharp/unsharp.flt -o "$scratch/again/unsharp.c" &&
    diff "$scratch/again/unsharp.c" "$scratch/unsharp.c" > "$scratch/log"
judge "texts differ from run to run"
"$BUILD/fltc" emit examples/unsharp/unsharp.flt -o "$scratch/plain.c" && ! grep -q 'flt_check\|self_check\|WRONG_RESULT' "$scratch"/plain.[ch]
judge "a file that does not check itself"
# Kernels of devices: CUDA's by the simulator, OpenCL's by a driver, if there is one.
emit --target cuda examples/sobel/sobel.flt -o "$scratch/device.cu" &&
    printf '#include "device.h"\nint main(void) { return sobel_self_check() & 255; }\n' > "$scratch/cuda.cpp" &&
    gcc -O1 -c tests/simulator/simulator.c -o "$scratch/simulator.o" &&
    g++ -std=c++17 -O1 -w -Itests/simulator "-I$scratch" "$scratch/cuda.cpp" -x c++ "$scratch/device.cu" -x none "$scratch/simulator.o" \
        -o "$scratch/run" 2> "$scratch/log" && "$scratch/run"
judge "cuda"
cat > "$scratch/opencl.c" <<'C'
#include "device.h"
int main(void)
{
    int status;
    struct sobel_device *device = sobel_open(0, 0, &status);
    if (!device)
        return status == SOBEL_NO_DEVICE ? 77 : 1;
    status = sobel_self_check(device) != SOBEL_OK || sobel_self_check(0) != SOBEL_NULL_POINTER;
    sobel_close(device);
    return status;
}
C
emit --target opencl examples/sobel/sobel.flt -o "$scratch/device.c" &&
    gcc -std=c99 -O1 -Wall -Wextra -Wconversion -Werror "-I$scratch" "$scratch/opencl.c" "$scratch/device.c" -lOpenCL -o "$scratch/run" \
        2> "$scratch/log" && { POCL_CACHE_DIR=$scratch "$scratch/run" 2> "$scratch/log" || [ $? -eq 77 ]; }
judge "opencl"
echo "selfcheck: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
