#!/usr/bin/env bash
# on_device.sh [REPORT]: in a folder that prepare.sh has filled, on a machine with a CUDA device and nvcc: every program is
# compiled and run against what is expected; some with compute-sanitizer, if it is there; some are timed. All that is
# said goes to REPORT (report.txt) too. JOBS: compilations at once. SECONDS_A_PROGRAM: the longest run, 60.
set -u
cd "$(dirname "$0")" || exit 1
report=${1:-report.txt}
jobs=${JOBS:-$(nproc)}
limit=${SECONDS_A_PROGRAM:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$PATH:/usr/local/cuda/bin
exec > >(tee "$report") 2>&1
timed="example_unsharp example_harris example_local_laplacian example_blur example_biquad example_guided
    example_denoise example_resize recurrences reductions example_otsu"
timed_small="example_compression transforms" # whose kernels are of one thread
watched="example_unsharp example_harris example_biquad recurrences reductions borders rank4 lookups"

command -v nvcc > /dev/null || { echo "SKIP cuda: nvcc not found"; exit 77; }
nvcc --version | tail -2
nvidia-smi --query-gpu=name,driver_version,compute_cap,clocks.sm,clocks.mem --format=csv,noheader || { echo "SKIP cuda: no device"; exit 77; }
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
arch=sm_${capability:-90}

# one NAME: "NAME: compiled in S s", or what is wrong
compile() {
    local start=$SECONDS
    if nvcc -O3 -arch="$arch" -Werror all-warnings -I"$1" "$1/filter.cu" device.o -o "$work/$1" > "$work/$1.log" 2>&1; then
        [ $((SECONDS - start)) -lt 30 ] || echo "$1: compiled in $((SECONDS - start)) s"
    else
        echo "FAIL $1 does not compile: $(head -3 "$work/$1.log")"
    fi
}
export -f compile
export work arch
programs=$(for folder in */trials; do echo "${folder%/trials}"; done)
start=$SECONDS
nvcc -O3 -arch="$arch" -std=c++17 -Xcompiler -Wall -c device.cu -o device.o || exit 1
# Those that take long first.
ls -S */filter.cu | xargs -n 1 dirname | xargs -P "$jobs" -I{} bash -c 'compile {}'
echo "== compiled for $arch in $((SECONDS - start)) s"

passed=0 failed=0 bad=""
for name in $programs; do
    [ -x "$work/$name" ] || { failed=$((failed + 1)) bad="$bad $name"; continue; }
    start=$SECONDS
    timeout "$limit" "$work/$name" check "$name/trials" > "$work/out" 2>&1
    rc=$?
    last=$(tail -1 "$work/out")
    if [ $rc = 0 ]; then
        passed=$((passed + $(echo "$last" | awk '{ print $1 + 0 }')))
    else
        echo "FAIL $name (exit status $rc, $((SECONDS - start)) s):"
        head -5 "$work/out" | sed 's/^/    /'
        passed=$((passed + $(echo "$last" | awk '/passed/ { print $1 + 0 }')))
        failed=$((failed + $(echo "$last" | awk '/passed/ { n = $3 } END { print n ? n : 1 }')))
        bad="$bad $name"
    fi
done
echo "== $(echo "$programs" | wc -l) programs: $passed passed, $failed failed${bad:+ (}${bad# }${bad:+)}"

if command -v compute-sanitizer > /dev/null; then
    for tool in memcheck racecheck; do
        for name in $watched; do
            [ -x "$work/$name" ] || continue
            timeout 90 compute-sanitizer --tool $tool --error-exitcode 9 "$work/$name" check "$name/trials" > "$work/out" 2>&1
            echo "$tool $name: exit status $?, $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/out" | tail -1)"
        done
    done
else
    echo "== SKIP compute-sanitizer: not found"
fi

echo "== times: the median of runs on images of the device"
for name in $timed; do
    for size in 1024 4096; do
        [ -x "$work/$name" ] && printf '%-26s ' "$name" && timeout "$limit" "$work/$name" time "$name/trials" $size $size || echo
    done
done
for name in $timed_small; do
    [ -x "$work/$name" ] && printf '%-26s ' "$name" && timeout "$limit" "$work/$name" time "$name/trials" 256 256 || echo
done
echo "== done in $SECONDS s: $passed passed, $failed failed"
[ $failed -eq 0 ]
