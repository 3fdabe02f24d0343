#!/usr/bin/env bash
# on_device.sh [REPORT]: in a folder that prepare.sh has filled, on a machine with a CUDA device: every program is
# compiled by nvcc, or, where objects were prepared for the device's architecture, only linked; then run against what is
# expected; some are timed; some run with compute-sanitizer, if it is there. All that is said goes to REPORT
# (report.txt) too. JOBS: compilations at once. SECONDS_A_PROGRAM: the longest run, 60. FRESH=1: objects are left alone.
set -u
cd "$(dirname "$0")" || exit 1
report=${1:-report.txt}
jobs=${JOBS:-$(nproc)}
limit=${SECONDS_A_PROGRAM:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$PATH:/usr/local/cuda/bin
exec > >(tee "$report") 2>&1
timed="example_unsharp bench_unsharp bench_harris bench_local_laplacian8 bench_blur bench_gaussian5 bench_sobel bench_median3
    bench_gaussian_recursive bench_iir_blur bench_bicubic bench_sums bench_camera example_resize bench_wavelet bench_stencil_chain
    bench_nl_means bench_bilateral_grid bench_equalization example_otsu example_clahe reductions bench_sums_float
    order_two bench_opening15 bench_interpolate bench_biquintic bench_resize bench_disc"
timed_small="example_compression transforms" # whose kernels are of one thread
watched="example_unsharp example_harris bench_gaussian_recursive recurrences reductions borders rank4 crossing"
shared="example_harris example_blur example_pyramid example_local_laplacian reductions crossing" # kernels with barriers

command -v nvcc > /dev/null && nvcc --version | tail -2
nvidia-smi --query-gpu=name,driver_version,compute_cap,clocks.sm,clocks.mem --format=csv,noheader || { echo "SKIP cuda: no device"; exit 77; }
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
arch=sm_${capability:-90}

# one NAME: "NAME: compiled in S s", or what is wrong
compile() {
    local start=$SECONDS
    if [ -z "$FRESH" ] && [ -f "$1/$arch.o" ]; then
        g++ "$1/$arch.o" "$device" -o "$work/$1" -L. -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread \
            > "$work/$1.log" 2>&1 || echo "FAIL $1 is not linked: $(head -3 "$work/$1.log")"
    elif nvcc -O3 -arch="$arch" -Werror all-warnings -I"$1" "$1/filter.cu" "$device" -o "$work/$1" > "$work/$1.log" 2>&1; then
        [ $((SECONDS - start)) -lt 30 ] || echo "$1: compiled in $((SECONDS - start)) s"
    else
        echo "FAIL $1 does not compile: $(head -3 "$work/$1.log")"
    fi
}
device=$arch.o FRESH=${FRESH:-}
[ -z "$FRESH" ] && [ -f "$device" ] || device=$work/device.o
export -f compile
export work arch device FRESH
programs=$(for folder in */trials; do echo "${folder%/trials}"; done)
start=$SECONDS
if [ ! -f "$device" ] && ! nvcc -O3 -arch="$arch" -std=c++17 -Xcompiler -Wall -I. -c device.cu -o "$device"; then
    echo "SKIP cuda: nvcc not found, or it fails"
    exit 77
fi
# Those that take long first.
wc -c -- */filter.cu | sort -nr | sed -n 's,.* \(.*\)/filter.cu$,\1,p' | xargs -P "$jobs" -I{} bash -c 'compile {}'
echo "== compiled for $arch in $((SECONDS - start)) s"

# check NAME: what it says goes to NAME.out, its exit status and seconds to NAME.rc
check() {
    local start=$SECONDS
    timeout "$limit" "$work/$1" check "$1/trials" > "$work/$1.out" 2>&1
    echo $? $((SECONDS - start)) > "$work/$1.rc"
}
export -f check
export limit
start=$SECONDS
for name in $programs; do [ ! -x "$work/$name" ] || echo "$name"; done | xargs -P 4 -I{} bash -c 'check {}'
passed=0 failed=0 bad=""
for name in $programs; do
    rc=none took=0
    [ ! -f "$work/$name.rc" ] || read -r rc took < "$work/$name.rc"
    last=$(tail -1 "$work/$name.out" 2> /dev/null)
    passed=$((passed + $(echo "$last" | awk '/passed/ { n = $1 } END { print n + 0 }')))
    [ "$rc" != 0 ] || continue
    failed=$((failed + $(echo "$last" | awk '/passed/ { n = $3 } END { print n ? n : 1 }')))
    bad="$bad $name"
    echo "FAIL $name (exit status $rc, $took s):"
    head -5 "$work/$name.out" 2> /dev/null | sed 's/^/    /'
done
echo "== checked in $((SECONDS - start)) s"
echo "== $(echo "$programs" | wc -l) programs: $passed passed, $failed failed${bad:+ (}${bad# }${bad:+)}"

echo "== times: the median of runs on images of the device"
time_one() { # NAME ROWS COLUMNS
    [ -x "$work/$1" ] || return
    printf '%-26s ' "$1"
    timeout "$limit" "$work/$1" time "$1/trials" "$2" "$3" || echo "exit status $? at $2 x $3"
}
time_one example_unsharp 600000 5 # more rows of blocks than a launch takes
for name in $timed; do
    for size in 1024 4096 16384; do time_one "$name" $size $size; done
done
for name in $timed_small; do time_one "$name" 256 256; done

if command -v compute-sanitizer > /dev/null; then
    echo "== compute-sanitizer"
    watch() { # TOOL NAME
        [ -x "$work/$2" ] || return
        timeout 45 compute-sanitizer --tool "$1" --error-exitcode 9 "$work/$2" check "$2/trials" > "$work/out" 2>&1
        echo "$1 $2: exit status $?, $(grep -E 'SUMMARY' "$work/out" | tail -1)"
    }
    for name in $watched; do watch memcheck "$name" && watch initcheck "$name"; done
    for name in $shared; do watch racecheck "$name" && watch synccheck "$name"; done
else
    echo "== SKIP compute-sanitizer: not found"
fi
echo "== done in $SECONDS s: $passed passed, $failed failed"
[ $failed -eq 0 ]
