#!/usr/bin/env bash
# examples/embed: the commands of its README as they stand there; under sanitizers; with a malloc that fails;
# as C++; on devices. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../../examples" || exit 1
root=$(realpath ..)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
expect() { # NAME EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        printf 'FAIL %s\nexpected: %s\nis:       %s\n' "$1" "$2" "$3" >&2
        failed=$((failed + 1))
    fi
}

cp -r embed unsharp "$scratch"
cd "$scratch/embed" || exit 1
# shellcheck disable=SC2016
good=$(sed -n 's/^prints `\([^`]*\)`.*/\1/p' README.md)
sed -n 's/^    //p' README.md > commands
expect "the commands of the README" "$good" "$(PATH=$BUILD:$PATH sh -e commands 2>&1)"

sanitize="-g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
for compiler in "gcc -O1 $sanitize" "clang -O1 $sanitize" "g++ -x c++ $sanitize" "gcc -O3 -fopenmp" \
    "clang -O3 -fopenmp"; do
    # shellcheck disable=SC2086
    expect "$compiler" "$good" "$($compiler host.c unsharp.c -lm -o host 2>&1 && ./host 2>&1)"
done

echo '#include <stddef.h>
void *failing_malloc(size_t size);
void *failing_malloc(size_t size) { (void)size; return NULL; }' > failing.c
# shellcheck disable=SC2086
gcc $sanitize -c failing.c -o failing.o
# shellcheck disable=SC2086
gcc $sanitize -Dmalloc=failing_malloc -c unsharp.c -o unsharp.o
# shellcheck disable=SC2086
gcc $sanitize host.c unsharp.o failing.o -lm -o host
expect "no memory" "unsharp: there is not enough memory, status 1" "$(./host 2>&1 | tr -d "\n"; echo ", status ${PIPESTATUS[0]}")"
# On a device: OpenCL's, where there is one; CUDA's, run by the simulator.
PATH=$BUILD:$PATH fltc emit ../unsharp/unsharp.flt --target opencl -o unsharp_opencl.c
PATH=$BUILD:$PATH fltc emit ../unsharp/unsharp.flt --target cuda -o unsharp_cuda.cu
# shellcheck disable=SC2086
if gcc -Wall -Wextra -Werror $sanitize opencl.c unsharp_opencl.c -lOpenCL -lm -o on_device; then
    words=$(ASAN_OPTIONS=detect_leaks=0 POCL_CACHE_DIR=$scratch ./on_device 2>&1)
    [ "$words" != "OpenCL error -1001" ] && expect "OpenCL" "$good" "$words" || echo "SKIP opencl: no device"
else
    expect "OpenCL" compiled refused
fi
gcc -c "$root/tests/simulator/simulator.c" -o simulator.o
g++ -std=c++17 -Wall -Wextra -Werror -Wno-unknown-pragmas "-I$root/tests/simulator" -x c++ cuda.cu unsharp_cuda.cu -x none \
    simulator.o -o on_device
expect "CUDA" "$good" "$(./on_device 2>&1)"
# shellcheck disable=SC2086
g++ -std=c++17 -Wall -Wextra -Werror -Wno-unknown-pragmas $sanitize "-I$root/tests/simulator" -x c++ cuda_graph.cu \
    unsharp_cuda.cu -x none simulator.o -o on_device
expect "a graph of CUDA" "$(grep '^an edge of' README.md)" "$(./on_device 2> /dev/null)"
# shellcheck disable=SC2086
g++ -std=c++17 -Wall -Wextra -Werror -Wno-unknown-pragmas $sanitize "-I$root/tests/simulator" -x c++ cuda_devices.cu \
    unsharp_cuda.cu -x none simulator.o -o on_devices
expect "two devices of CUDA" "$(grep '^picture [0-9]: the edge' README.md)" "$(./on_devices 2> /dev/null)"
for file in cuda_graph cuda_devices; do
    ! command -v nvcc > /dev/null || expect "nvcc takes $file" "" "$(nvcc -arch=sm_75 -Werror all-warnings $file.cu unsharp_cuda.cu -o film 2>&1)"
done
echo "embed: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
