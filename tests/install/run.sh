#!/usr/bin/env bash
# `make install` and what is built with it: a list of files, programs through pkg-config and CMake, the
# manual page, syntax files. BUILD=folder of fltc.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
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
succeed() { # NAME COMMAND...
    local name=$1
    shift
    local said
    said=$("$@" 2>&1) && said=''
    expect "$name" '' "$said"
}
install_to() { # TARGET PREFIX DESTDIR
    make --no-print-directory BUILD="$BUILD" PREFIX="$2" DESTDIR="$3" "$1"
}

# Staged: everything under DESTDIR, and the files say where they will be.
stage="$scratch/a stage"
succeed "staged install" install_to install /usr "$stage"
expect "prefix of a staged install" "prefix=/usr" "$(head -n 1 "$stage/usr/lib/pkgconfig/fltc.pc")"
expect "files of a staged install" "$(sort tests/install/files.expected)" "$(cd "$stage" && find . -type f | sort)"
succeed "uninstall" install_to uninstall /usr "$stage"
expect "what uninstall leaves" "" "$(cd "$stage" && find . -type f)"

prefix="$scratch/prefix"
succeed "install" install_to install "$prefix" ""
version=$("$prefix/bin/fltc" --version)
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
expect "pkg-config's version" "$version" "fltc $(pkg-config --modversion fltc)"
expect "pkg-config's compiler" "$prefix/bin/fltc" "$(pkg-config --variable=compiler fltc)"

# The example's programs, built both ways, do what fltc run does.
cp -r examples/embed examples/unsharp examples/sample "$scratch"
cd "$scratch/embed" || exit 1
# shellcheck disable=SC2016
good=$(sed -n 's/^prints `\([^`]*\)`.*/\1/p' README.md)
{ printf 'P5\n45 31\n255\n'; head -c 1395 /dev/zero; } > blank.pgm
"$prefix/bin/fltc" run ../sample/sample.flt blank.pgm -o color.png
"$prefix/bin/fltc" run ../unsharp/unsharp.flt color.png -o expected.png --amount 3
try_programs() { # NAME FOLDER
    expect "$1: host" "$good" "$("$2/host" 2>&1)"
    succeed "$1: photo runs" "$2/photo" color.png out.png 3
    succeed "$1: photo" cmp expected.png out.png
    rm -f out.png
    expect "$1: photo without a file" "photo: cannot open none.png: No such file or directory, status 1" \
        "$("$2/photo" none.png out.png 3 2>&1 | tr -d '\n'; echo ", status ${PIPESTATUS[0]}")"
}
succeed "Makefile" make
try_programs "Makefile" .
succeed "nothing to do" make -q
touch ../unsharp/unsharp.flt
expect "a changed filter" "1" "$(make -q; echo $?)"
make -s clean

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
find_package(fltc 0.1 REQUIRED)
add_executable(main main.c)
fltc_add_filter(main FILE whole.flt FILTER whole OUTPUT times CONSTANTS by=5 TYPES T=u16)
CMAKE
succeed "cmake with options" cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
succeed "build with options" cmake --build build
expect "options" "0 35" "$(build/main)"
sleep 1 # make compares whole seconds on some file systems
sed -i 's/T(by/T(1 + by/' part.flt
succeed "build of a changed import" cmake --build build
expect "a changed import" "0 36" "$(build/main)"
sed -i 's/0.1 REQUIRED/0.1 REQUIRED COMPONENTS picture/' CMakeLists.txt
expect "a component that is not there" "1" \
    "$(cmake -S . -B other -DCMAKE_PREFIX_PATH="$prefix" 2>&1 | grep -c "fltc has no component 'picture'; it has: image")"
sed -i 's/ COMPONENTS picture//; s/fltc 0.1/fltc 0.2/' CMakeLists.txt
expect "a version that is not there" "1" \
    "$(cmake -S . -B other -DCMAKE_PREFIX_PATH="$prefix" 2>&1 | grep -c 'version: 0.1')"

bad=0
PREFIX=$prefix bash "$root/tests/install/cmake.sh" || bad=1

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
find_package(fltc 0.1 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(library REQUIRED IMPORTED_TARGET fltkissfft)
add_executable(main main.c)
fltc_add_filter(main FILE sums.flt FFT given)
target_link_libraries(main PRIVATE PkgConfig::library)
CMAKE
succeed "cmake with a library" cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
succeed "build with a library" cmake --build build
expect "a library by CMake" "KissFFT 14.0000 -5.1962 1.0000" "$(build/main)"
cd "$root" || exit 1

# The manual page: no complaint of the formatter, every command and every option.
page=$prefix/share/man/man1/fltc.1
expect "groff" "" "$(groff -man -ww -z "$page" 2>&1)"
shown=$(groff -man -Tascii -P-cbou -rLL=200n "$page")
while read -r command; do
    expect "manual page: $command" "yes" "$(grep -q "fltc $command " <<< "$shown" && echo yes)"
done < <(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' compiler/command/commands.def)
while read -r option; do
    expect "manual page: --$option" "yes" "$(grep -q -- "--$option\b" <<< "$shown" && echo yes)"
done < <(sed -n 's/^OPTION[A-Z_]*([a-z_]*, "\([a-z-]*\)".*/\1/p' compiler/command/options.def)
expect "manual page: exit statuses" "0 1 2 3" "$(sed -n '/^EXIT STATUS/,/^ENVIRONMENT/s/^ *\([0-9]\) .*/\1/p' <<< "$shown" | xargs)"

syntax=$(/usr/bin/python3 -B tests/install/syntax.py "$prefix" 2>&1)
expect "syntax files" "all words are found" "$syntax"
echo "install: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ $bad -eq 0 ]
