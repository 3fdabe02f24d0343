#!/usr/bin/env bash
# prepare.sh FOLDER [PATTERN]: what a machine with a device needs to check and time emitted CUDA, and nothing else:
# there, on_device.sh is run in the folder. Programs of tests/emit, examples and tests/bench that target cuda takes, or
# those of them whose path contains PATTERN, with images and what the interpreter makes of them. ARCH=sm_90: with objects for that
# architecture too, compiled here, JOBS at once. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
folder=${1:?prepare.sh FOLDER}
mkdir -p "$folder" && folder=$(realpath "$folder")
cd "$(dirname "$0")/../.." || exit 1
same_bytes=$BUILD/tests/emit/same_bytes
[ -x "$same_bytes" ] || { echo "make ${same_bytes#"$PWD"/}" >&2; exit 1; }
prepared=0 refused=0
for file in tests/emit/*.flt examples/*/*.flt tests/bench/workloads/*.flt tests/cuda/order_two.flt; do
    [[ $file == *"${2:-}"* ]] || continue
    name=$(basename "$file" .flt)
    case $file in
    examples/*) name=example_$name ;;
    tests/bench/*) name=bench_$name ;;
    esac
    if ! "$BUILD/fltc" emit --target cuda "$file" -o "$folder/" > /dev/null 2> "$folder/log"; then
        echo "left out: $(head -1 "$folder/log")"
        refused=$((refused + 1))
        continue
    fi
    if TARGET=cuda KEEP=1 "$same_bytes" "$folder/$name" "$file" > "$folder/log" 2>&1; then
        prepared=$((prepared + 1))
    else
        cat "$folder/log"
        exit 1
    fi
done
rm -f "$folder"/*.cu "$folder"/*.h "$folder/log"
mkdir "$folder/flt"
cp runtime/include/flt/filter.h "$folder/flt"
cp tests/cuda/device.cu tests/cuda/kept_trials.h tests/cuda/on_device.sh "$folder"
if [ -n "${ARCH:-}" ]; then
    export PATH=$PATH:/usr/local/cuda/bin ARCH
    cd "$folder" || exit 1
    nvcc -O3 "-arch=$ARCH" -std=c++17 -I. -c device.cu -o "$ARCH.o" || exit 1
    cp "$(dirname "$(readlink -f "$(command -v nvcc)")")/../lib64/libcudart_static.a" .
    for name in */trials; do echo "${name%/trials}"; done |
        xargs -P "${JOBS:-1}" -I{} nvcc -O3 "-arch=$ARCH" -I{} -c {}/filter.cu -o "{}/$ARCH.o" || exit 1
fi
echo "$prepared programs prepared, $refused left out: $(du -sh "$folder" | cut -f1) in $folder"
