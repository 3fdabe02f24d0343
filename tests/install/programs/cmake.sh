#!/usr/bin/env bash
# fltc_add_filter in projects of all kinds. PREFIX=folder in which fltc is installed; FULL=1: each with both usual
# generators, else by turns; ONLY=part of a name: those alone. One word: projects, places, refusals, options, pictures.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
prefix=${PREFIX:?the folder in which fltc is installed}
examples=$(realpath "$(dirname "$0")/../../../examples")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: > "$scratch/passed"
: > "$scratch/failed"
: > "$scratch/turns"
pass() { echo >> "$scratch/passed"; } # lines, since parts of pipes cannot count
fail() { # NAME TEXT
    printf 'FAIL %s\n%s\n' "$1" "$2" >&2
    echo >> "$scratch/failed"
}
expect() { # NAME EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then pass; else fail "$1" "expected: $2
is:       $3"; fi
}

# An empty folder with two filters, and a program that prints 3 times 7 plus 1.
sources() { # FOLDER
    rm -rf "$scratch/project" "$scratch/build dir"
    mkdir -p "$scratch/project/$1" && cd "$scratch/project/$1" || exit 1
    cat > part.flt <<'FLT'
filter times(in : image<i32>[x], const by : i32 = 3) -> out : image<wrap<i32>>[x] { out[x] = wrap<i32>(in[x]) * by; }
FLT
    cat > thrice.flt <<'FLT'
import "part.flt";
filter thrice(in : image<i32>[x]) -> out : image<wrap<i32>>[x] { out = times(in); }
FLT
    cat > next.flt <<'FLT'
filter next(in : image<i32>[x]) -> out : image<wrap<i32>>[x] { out[x] = wrap<i32>(in[x]) + 1; }
FLT
    cat > curve.flt <<'FLT'
filter curve(in : image<f32>[x]) -> out : image<f32>[x] { out = dct(exp(in), [x], norm = none); }
FLT
    cat > main.c <<'C'
#include "next.h"
#include "thrice.h"
#include <stdio.h>
int main(void)
{
    int32_t value = 7, result = 0, end = 0;
    struct thrice_in in = {&value, 1, 1};
    struct thrice_out out = {&result, 1, 1};
    struct next_in then = {&result, 1, 1};
    struct next_out last = {&end, 1, 1};
    int status = thrice(&in, &out, 0);
    status += next(&then, &last, 0);
    printf("%d %d\n", status, end);
    return 0;
}
C
    cp main.c main.cpp
}
head_of() { # LANGUAGES: the first lines of a project's text
    printf 'cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES %s)\nfind_package(fltc REQUIRED)\n' "$1"
}
configure() { # GENERATOR OPTION...
    cmake -S "$scratch/project" -B "$scratch/build dir" -G "$1" -DCMAKE_PREFIX_PATH="$prefix" "${@:2}" > "$scratch/log" 2>&1
}
build() { cmake --build "$scratch/build dir" -j 2 >> "$scratch/log" 2>&1; }
wants() { [[ "$1" == *${ONLY:-}* ]]; }

# works NAME [OPTION...] < CMakeLists.txt: configures, builds and prints 22; the program is build dir/main.
works() {
    local name=$1 generator
    cat > "$scratch/project/CMakeLists.txt"
    for generator in "Unix Makefiles" Ninja; do
        [ "$generator" = Ninja ] || echo >> "$scratch/turns"
        [ -n "${FULL:-}" ] || [ "$(($(wc -l < "$scratch/turns") % 2))" = "$([ "$generator" = Ninja ]; echo $?)" ] || continue
        rm -rf "$scratch/build dir"
        if configure "$generator" "${@:2}" && build; then
            expect "$name, $generator" "0 22" "$("$scratch/build dir/main" 2>&1)"
        else
            fail "$name, $generator" "$(tail -n 25 "$scratch/log")"
        fi
    done
}
# refused NAME WORDS < CMakeLists.txt: CMake stops with these words.
refused() {
    cat > "$scratch/project/CMakeLists.txt"
    rm -rf "$scratch/build dir"
    if configure Ninja; then
        fail "$1" "it is not refused"
    elif tr -s ' \n' ' ' < "$scratch/log" | grep -qF "$2"; then
        pass
    else
        fail "$1" "$(cat "$scratch/log")"
    fi
}
filters='fltc_add_filter(main FILE thrice.flt)
fltc_add_filter(main FILE next.flt)'

projects() {
    local language
    sources .
    for language in C CXX "C CXX"; do
        local main=main.c
        [ "$language" = C ] || main=main.cpp
        wants "in $language" && { head_of "$language"; echo "add_executable(main $main)"; echo "$filters"; } | works "in $language"
        wants "strict $language" && { head_of "$language"; echo "add_executable(main $main)"; echo "$filters"; } |
            works "strict $language" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-Wall -Wextra -Werror -pedantic -Wconversion" \
                -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror -Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant"
        wants "library in $language" && { head_of "$language"; cat <<CMAKE
add_library(part STATIC thrice.flt)
set_target_properties(part PROPERTIES LINKER_LANGUAGE ${language##* })
fltc_add_filter(part FILE thrice.flt)
add_library(other SHARED)
fltc_add_filter(other FILE next.flt)
add_executable(main $main)
target_link_libraries(main part other)
CMAKE
        } | works "library in $language"
        wants "objects in $language" && { head_of "$language"; cat <<CMAKE
add_library(part OBJECT)
fltc_add_filter(part FILE thrice.flt)
fltc_add_filter(part FILE next.flt)
add_executable(main $main)
target_link_libraries(main PRIVATE part)
CMAKE
        } | works "objects in $language"
        wants "two targets in $language" && { head_of "$language"; cat <<CMAKE
find_package(OpenMP)
add_executable(main $main)
add_executable(second $main)
foreach(target main second)
  fltc_add_filter(\${target} FILE thrice.flt)
  fltc_add_filter(\${target} FILE next.flt)
endforeach()
target_link_libraries(main m)
CMAKE
        } | works "two targets in $language"
    done
    wants "unity" && { head_of CXX; cat <<CMAKE
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
add_executable(main main.cpp)
target_precompile_headers(main PRIVATE <vector> <cmath>)
$filters
CMAKE
    } | works "unity builds, precompiled headers"
    local standard
    wants "C90" && { head_of C; cat <<CMAKE
set(CMAKE_C_STANDARD 90)
set(CMAKE_C_EXTENSIONS OFF)
add_compile_options(-pedantic-errors)
add_library(filters STATIC)
fltc_add_filter(filters FILE curve.flt)
${filters//main/filters}
add_executable(main main.c)
set_target_properties(main PROPERTIES C_STANDARD 99)
target_link_libraries(main filters)
CMAKE
    } | works "C90"
    for standard in 98 11 14 23; do
        wants "C++$standard" && { head_of CXX; cat <<CMAKE
set(CMAKE_CXX_STANDARD $standard)
set(CMAKE_CXX_EXTENSIONS OFF)
add_executable(main main.cpp)
$filters
fltc_add_filter(main FILE curve.flt)
CMAKE
        } | works "C++$standard"
    done
    wants "clang" && { head_of CXX; echo "add_executable(main main.cpp)"; echo "$filters"; } |
        works "by clang" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug
    wants "old policies" && { head_of CXX | sed 's/3\.20/3.5/'; echo "add_executable(main main.cpp)"; echo "$filters"; } |
        works "old policies"
}

places() {
    sources .
    wants "inside a function" && { cat <<CMAKE
cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES CXX)
function(set_up)
  find_package(fltc REQUIRED)
endfunction()
set_up()
add_executable(main main.cpp)
$filters
CMAKE
    } | works "find_package inside a function"
    wants "wrapped" && { head_of CXX; cat <<'CMAKE'
macro(add_all target)
  foreach(file ${ARGN})
    fltc_add_filter(${target} FILE ${file})
  endforeach()
endmacro()
function(program)
  add_executable(main main.cpp)
  add_all(main thrice.flt next.flt)
endfunction()
program()
CMAKE
    } | works "wrapped in a function and a macro"
    sources "a part"
    mv main.cpp main.c ..
    wants "subdirectory" && {
        { echo 'find_package(fltc REQUIRED)'; echo 'add_library(filters STATIC)'; echo "${filters//main/filters}"; } > CMakeLists.txt
        cat <<'CMAKE' | works "a subdirectory of a project in C++"
cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES CXX)
add_subdirectory("a part")
add_executable(main main.cpp)
target_link_libraries(main filters)
CMAKE
        { echo 'project(sub LANGUAGES C)'; echo 'find_package(fltc REQUIRED)'; echo 'add_library(filters STATIC)'
            echo "${filters//main/filters}"; } > CMakeLists.txt
        cat <<'CMAKE' | works "a subdirectory in C"
cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES CXX)
add_subdirectory("a part")
add_executable(main main.cpp)
target_link_libraries(main filters)
CMAKE
        echo "$filters" > CMakeLists.txt
        { head_of CXX; cat <<'CMAKE'; } | works "a target of the folder above"
add_executable(main main.cpp)
add_subdirectory("a part")
CMAKE
        echo 'add_executable(main ../main.cpp)
set_target_properties(main PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")' > CMakeLists.txt
        { head_of "C CXX"; cat <<'CMAKE'; } | works "a target of a folder below"
add_subdirectory("a part")
fltc_add_filter(main FILE "a part/thrice.flt")
fltc_add_filter(main FILE "${CMAKE_CURRENT_SOURCE_DIR}/a part/next.flt")
CMAKE
    }
}

refusals() {
    sources .
    { head_of NONE; echo 'add_library(main OBJECT main.c)'; echo "$filters"; } |
        refused "no language" "'main' needs a compiler of C, which is not enabled; write project(... LANGUAGES C)"
    { head_of CXX; echo 'add_executable(main main.cpp)'; echo 'fltc_add_filter(main FILE next.flt OPTIONS --target cuda)'; } |
        refused "CUDA" "needs a compiler of CUDA, which is not enabled; write project(... LANGUAGES CUDA)"
    { head_of CXX; echo 'add_executable(main main.cpp)'; echo 'fltc_add_filter(main FILE next.flt OPTIONS --target opencl)'; } |
        refused "OpenCL" "write find_package(OpenCL REQUIRED) before"
    { head_of CXX; echo 'add_executable(main main.cpp)'; echo 'fltc_add_filter(main FILE next.flt OPTIONS --target=verilog)'; } |
        refused "a circuit" "a program takes filters as c, opencl or cuda"
    local option
    for option in -o -oout.c --output=x --depfile --dump=all --stop-after --print-passes; do
        { head_of CXX; echo 'add_executable(main main.cpp)'; echo "fltc_add_filter(main FILE next.flt OPTIONS --fast $option x)"; } |
            refused "$option" "OPTIONS cannot take '$option'"
    done
    { head_of CXX; echo 'fltc_add_filter(main FILE next.flt)'; } | refused "no target" "there is no target 'main'"
    { head_of CXX; echo 'add_library(main INTERFACE)'; echo 'fltc_add_filter(main FILE next.flt)'; } |
        refused "an interface" "'main' has no sources of its own"
    { head_of CXX; echo 'add_executable(main main.cpp)'; echo 'fltc_add_filter(main next.flt)'; } | refused "no FILE" "fltc_add_filter(TARGET FILE name.flt"
    { head_of CXX; echo 'add_executable(main main.cpp)'; echo 'fltc_add_filter(main FILE next.flt OUTPUT a.c)'; } |
        refused "an ending" "OUTPUT a.c is a name with its ending"
    { head_of CXX; echo 'add_executable(main main.cpp)'; echo "$filters"; echo 'fltc_add_filter(main FILE part.flt OUTPUT next)'; } |
        refused "the same name" "two filters of 'main' have the name 'next'"
}

# What is passed on, what is told when it is wrong, and what makes the source anew.
options() {
    local generator
    for generator in "Unix Makefiles" Ninja; do
        sources "."
        mkdir headers "a b"
        echo 'static inline int32_t more(int32_t v) { return v + 10; }' > headers/more.h
        sed -i '1i #include <stdint.h>' headers/more.h
        echo 'extern fn more(i32) -> i32 from "more.h"; filter next(in : image<i32>[x]) -> out : image<i32>[x] { out = more(in); }' > "a b/next.flt"
        { head_of CXX; cat <<'CMAKE'; } > CMakeLists.txt
set(CMAKE_BUILD_TYPE Release)
add_executable(main main.cpp)
target_include_directories(main PRIVATE headers)
fltc_add_filter(main FILE thrice.flt FILTER thrice OPTIONS --cpu multi $<$<CONFIG:Debug>:--fast>)
fltc_add_filter(main FILE "a b/next.flt" OPTIONS --include headers)
CMAKE
        if ! configure "$generator" || ! build; then
            fail "options, $generator" "$(tail -n 25 "$scratch/log")"
            continue
        fi
        expect "options, $generator" "0 31" "$("$scratch/build dir/main")"
        expect "--cpu multi, $generator" yes "$(grep -q 'x86-64-v3\|avx2' "$scratch/build dir/main_filters/thrice.c" && echo yes)"
        cmake --build "$scratch/build dir" > "$scratch/again" 2>&1
        expect "nothing to do, $generator" "" "$(grep -E 'fltc |Building|Linking' "$scratch/again")"
        sleep 1
        sed -i 's/= 3)/= 5)/' part.flt
        build
        expect "an imported file, $generator" "0 45" "$("$scratch/build dir/main")"
        sleep 1
        sed -i 's/thrice(in :/thrice(in :  /' thrice.flt
        cmake --build "$scratch/build dir" > "$scratch/again" 2>&1
        expect "the file, $generator" "1" "$(grep -c 'fltc thrice.flt' "$scratch/again")"
        sleep 1
        sed -i 's/v + 10/v + 20/' headers/more.h
        cmake --build "$scratch/build dir" > "$scratch/again" 2>&1
        expect "a header of C, $generator" "1 0 55" "$(grep -c 'fltc a b/next.flt' "$scratch/again") $("$scratch/build dir/main")"
        sleep 1
        touch "$prefix/bin/fltc"
        cmake --build "$scratch/build dir" > "$scratch/again" 2>&1
        expect "fltc itself, $generator" "2" "$(grep -c 'fltc .*\.flt$' "$scratch/again")"
        sed -i 's/--cpu multi/--cpu many/' CMakeLists.txt
        cmake --build "$scratch/build dir" > "$scratch/again" 2>&1
        expect "a wrong option, $generator" "1" "$(grep -c "error\[E0903\]: --cpu takes multi, not 'many'" "$scratch/again")"
    done
}

# A picture sharpened by a program in C++ with the library of image files is what fltc makes of it.
pictures() {
    sources .
    sed "s/after = {0}/after = {}/" "$examples/embed/photo.c" > photo.cpp
    cp "$examples/unsharp/unsharp.flt" .
    { printf 'P5\n45 31\n255\n'; head -c 1395 /dev/zero; } > blank.pgm
    "$prefix/bin/fltc" run "$examples/sample/sample.flt" blank.pgm -o color.png
    "$prefix/bin/fltc" run unsharp.flt color.png -o expected.png --amount 3
    cat > CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(photo LANGUAGES CXX)
find_package(OpenMP)
find_package(fltc REQUIRED COMPONENTS image)
add_executable(photo photo.cpp)
fltc_add_filter(photo FILE unsharp.flt)
target_link_libraries(photo PRIVATE fltc::image)
CMAKE
    local type
    for type in Debug Release; do
        rm -rf "$scratch/build dir" out.png
        if configure "Ninja Multi-Config" && cmake --build "$scratch/build dir" --config $type >> "$scratch/log" 2>&1; then
            "$scratch/build dir/$type/photo" color.png out.png 3
            expect "a picture, $type" "" "$(cmp expected.png out.png 2>&1)"
        else
            fail "a picture, $type" "$(tail -n 25 "$scratch/log")"
        fi
    done
}

for part in projects places refusals options pictures; do
    if [ -z "${1:-}" ] || [ "$1" = $part ]; then $part; fi
done
failed=$(wc -l < "$scratch/failed")
echo "install, CMake: $(wc -l < "$scratch/passed") passed, $failed failed"
[ "$failed" -eq 0 ]
