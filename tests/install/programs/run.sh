#!/usr/bin/env bash
# Programs in CMake's projects that are built with what `make install` installs (cmake.sh: of many kinds), and programs with
# each of its libraries. BUILD=folder of fltc.
cd "$(dirname "$0")/../../.." || exit 1
. tests/install/functions.sh

succeed "install" install_to install "$prefix" ""
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
prepare_programs
succeed "cmake" cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
succeed "cmake --build" cmake --build build
try_programs "CMake" build
sed -i 's/16.0/8.0/' ../unsharp/unsharp.flt
succeed "cmake --build of a changed filter" cmake --build build
expect "CMake notices" "yes" "$([ "$(build/host)" != "$good" ] && echo yes)"
cp "$root/examples/unsharp/unsharp.flt" ../unsharp/

# An imported file is noticed too; constants, types and the name of the output are passed on.
mkdir "$scratch/options" && cd "$scratch/options" || exit 1
cat > part.flt <<'FLT'
filter twice(in : image<T : integer>[x], const by : i32 = 2) -> out : image<T>[x] { out[x] = T(by * in[x]); }
FLT
cat > whole.flt <<'FLT'
import "part.flt";
filter unused(in : image<u8>[x]) -> out : image<u8>[x] { out = in; }
filter whole(in : image<T : integer>[x], const by : i32 = 2) -> out : image<T>[x] { out = twice(in, by); }
FLT
cat > main.c <<'C'
#include "times.h"
#include <stdio.h>
int main(void)
{
    const uint16_t value = 7;
    uint16_t result = 0;
    const struct whole_in in = {&value, 1, 1};
    const struct whole_out out = {&result, 1, 1};
    const int status = whole(&in, &out, 0);
    printf("%d %d\n", status, result);
    return 0;
}
C
cat > CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(options LANGUAGES C)
find_package(fltc REQUIRED)
add_executable(main main.c)
fltc_add_filter(main FILE whole.flt FILTER whole OUTPUT times CONSTANTS by=5 TYPES T=u16)
CMAKE
version=$(cat "$root/VERSION")
sed -i "s/(fltc /&${version%.*} /" CMakeLists.txt
succeed "cmake with options" cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
succeed "build with options" cmake --build build
expect "options" "0 35" "$(build/main)"
sleep 1 # make compares whole seconds on some file systems
sed -i 's/T(by/T(1 + by/' part.flt
succeed "build of a changed import" cmake --build build
expect "a changed import" "0 36" "$(build/main)"
sed -i 's/REQUIRED/REQUIRED COMPONENTS picture/' CMakeLists.txt
expect "a component that is not there" "1" \
    "$(cmake -S . -B other -DCMAKE_PREFIX_PATH="$prefix" 2>&1 | grep -c "fltc has no component 'picture'; it has: image, compiler")"
sed -i "s/ COMPONENTS picture//; s/fltc ${version%.*}/fltc 99.9/" CMakeLists.txt
expect "a version that is not there" "1" \
    "$(cmake -S . -B other -DCMAKE_PREFIX_PATH="$prefix" 2>&1 | grep -c "version: $version")"

bad=0
PREFIX=$prefix bash "$root/tests/install/programs/cmake.sh" || bad=1

# Libraries have no names but their own, flt_..., so a program may have the same as they have inside. An adaptive
# image is saved, and comes back.
for library in image particles particlesfile; do
    expect "names of libflt$library" "" \
        "$(nm -g --defined-only "$prefix/lib/libflt$library.a" | awk 'NF == 3 && $3 !~ /^flt_/ { print $3 }')"
done
mkdir "$scratch/particles" && cd "$scratch/particles" || exit 1
cat > main.c <<'C'
#include "flt/particles_file.h"
#include <stdio.h>
#include <string.h>
int halve(void);
int pool_open(void);
int apr_find(void);
int tiff_open(void);
int halve(void) { return 1; }
int pool_open(void) { return 2; }
int apr_find(void) { return 3; }
int tiff_open(void) { return 4; }
int main(void)
{
    static float pixel[20 * 30], value[20 * 30];
    for (int i = 0; i < 600; i++)
        pixel[i] = (float)(i / 30 < 10 ? 100 : 4000 + i);
    struct flt_apr *apr;
    struct flt_apr_file file;
    const struct flt_apr_values values = {.element = FLT_F32, .value = value};
    if (flt_apr_create(&apr, pixel, (int64_t[]){1, 20, 30}, &flt_apr_usual_settings, NULL, 2) ||
        flt_apr_sample(apr, pixel, value, 2) ||
        flt_apr_save("a.apr", &(struct flt_apr_channel){.apr = apr, .values = &values, .arrays = 1}, 1, NULL, NULL) ||
        flt_apr_load("a.apr", NULL, NULL, 2, &file, NULL))
        return 1;
    printf("%d %d\n", halve() + pool_open() + apr_find() + tiff_open(),
           memcmp(file.value, value, file.apr->particles.count * sizeof *value));
    flt_apr_file_destroy(&file);
    flt_apr_destroy(apr);
    return 0;
}
C
# shellcheck disable=SC2046
succeed "a program with files of adaptive images" \
    cc main.c $(pkg-config --cflags --libs fltparticlesfile) -o main
expect "files of adaptive images" "10 0" "$(./main)"
expect "none of HDF5's library" "" "$(ldd "$prefix/bin/fltc" main | grep hdf5)"

# A filter that is opened with a library.
mkdir "$scratch/given" && cd "$scratch/given" || exit 1
echo 'filter sums(in : image<f32>[x]) -> out : image<f32>[x] { out = dct(in, [x], norm = none); }' > sums.flt
succeed "a filter for libraries" "$prefix/bin/fltc" emit --fft given sums.flt -o sums.c
for library in fftw kissfft; do
    cat > main.c <<C
#include "sums.h"
#include "flt/fft_$library.h"
#include <stdio.h>
int main(void)
{
    const float value[3] = {1, 2, 4};
    float result[3];
    const struct sums_in in = {value, 3, 1};
    const struct sums_out out = {result, 3, 1};
    struct sums_opened *opened;
    if (sums_open(&flt_fft_$library, &opened) || sums(opened, &in, &out, 0))
        return 1;
    sums_close(opened);
    printf("%s %.4f %.4f %.4f\n", flt_fft_$library.name, (double)result[0], (double)result[1], (double)result[2]);
    return 0;
}
C
    # shellcheck disable=SC2046
    succeed "a program with $library" cc main.c sums.c $(pkg-config --cflags --libs flt$library) -lm -o main
    expect "$library" "14.0000 -5.1962 1.0000" "$(./main | cut -d' ' -f2-)"
done
cat > CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(given LANGUAGES C)
find_package(fltc REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(library REQUIRED IMPORTED_TARGET fltkissfft)
add_executable(main main.c)
fltc_add_filter(main FILE sums.flt FFT given)
target_link_libraries(main PRIVATE PkgConfig::library)
CMAKE
succeed "cmake with a library" cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
succeed "build with a library" cmake --build build
expect "a library by CMake" "KissFFT 14.0000 -5.1962 1.0000" "$(build/main)"
echo "installed programs: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ $bad -eq 0 ]
