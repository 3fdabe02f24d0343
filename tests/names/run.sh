#!/usr/bin/env bash
# Names that emitted code cannot have, emit/launch/reserved.def:
# - against the compilers and headers of the machine: their macros, types and functions are all known to the table;
# - words.txt and all words of the table as parameters, images, results, axes, stages and local names, for each target: what
#   is emitted compiles. 60 names have each role; FULL=1: all have all roles.
# - all words of what is emitted for a filter, as parameters, images and results of that filter.
# - case.flt: names that differ in case alone.
# - names that benches have as the name of the filter itself, a quarter of them; FULL=1: all, and one in EVERY of the rest.
# ROLES="axis stage": those. SHARE=K/N: the Kth of N shares. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}
has() { command -v "$1" > /dev/null; }
share=${SHARE:-1/1}
# is_mine NUMBER: whether it belongs to the share
is_mine() { [ $(($1 % ${share#*/})) -eq $((${share%/*} % ${share#*/})) ]; }

# ---- The table against headers ----

# expect WHAT ROLE LANGUAGE...: all names on standard input are reserved
expect() {
    local what=$1
    shift
    if "$BUILD/tests/names/reserved" "$@" > "$scratch/free"; then pass; else
        fail "$what are not in the table: $(head -20 "$scratch/free" | tr '\n' ' ')"
    fi
}
# The names of #define lines, of macros with arguments or without.
macros() { sed -n -E "$([ "$1" = plain ] && echo 's/^#define ([A-Za-z0-9_]+)( .*)?$/\1/p' || echo 's/^#define ([A-Za-z0-9_]+)\(.*/\1/p')"; }

printf '#include <%s.h>\n' stddef stdint float limits math stdlib string stdio stdbool errno time pthread sched > "$scratch/headers.c"
for compiler in "gcc -std=c99" "gcc -std=gnu17" "gcc -std=gnu2x -fopenmp" "clang -std=c99" "clang -std=gnu2x" \
    "g++ -x c++ -std=c++17" "g++ -x c++ -std=gnu++20" "clang++ -x c++ -std=c++20"; do
    has "${compiler%% *}" || continue
    # shellcheck disable=SC2086
    $compiler -dM -E "$scratch/headers.c" > "$scratch/macros"
    macros plain < "$scratch/macros" | expect "macros of $compiler" member c
    macros called < "$scratch/macros" | expect "macros with arguments of $compiler" global c
done
# What a compiler would declare otherwise, headers or not: each name as a function of this file.
has gcc && {
    tr ' ' '\n' < tests/names/words.txt > "$scratch/candidates"
    nm -D "$(gcc -print-file-name=libc.so.6)" "$(gcc -print-file-name=libm.so.6)" | sed -n 's/.* \([a-z][A-Za-z0-9_]*\)@.*/\1/p' >> "$scratch/candidates"
    sort -u "$scratch/candidates" | "$BUILD/tests/names/reserved" global c > "$scratch/free"
    for compiler in "gcc -std=gnu17 -fmax-errors=0" "gcc -std=c99 -D_GNU_SOURCE -fmax-errors=0" "clang -ferror-limit=0"; do
        has "${compiler%% *}" || continue
        {
            cat "$scratch/headers.c"
            echo 'struct flt_own { int own; };'
            sed 's/.*/extern struct flt_own &(struct flt_own *, struct flt_own);/' "$scratch/free"
        } > "$scratch/declared.c"
        # shellcheck disable=SC2086
        if $compiler -Wall -Werror -fsyntax-only "$scratch/declared.c" 2> "$scratch/said"; then pass; else
            fail "$compiler knows names that are not in the table"
            grep -m 20 'error:' "$scratch/said" >&2
        fi
    done
}
opencl=$(ls /usr/include/CL/cl.h 2> /dev/null)
if [ -n "$opencl" ] && has clang; then
    echo '#include <CL/cl.h>' | clang -DCL_TARGET_OPENCL_VERSION=120 -dM -E - | macros plain | expect "macros of CL/cl.h" member c opencl
    echo '#include <CL/cl.h>' | clang -DCL_TARGET_OPENCL_VERSION=120 -E - | grep -o '\bcl_[a-z0-9_]*\b *;' | tr -d ' ;' | expect "types of CL/cl.h" local c opencl
    echo '#include <CL/cl.h>' | clang -DCL_TARGET_OPENCL_VERSION=120 -E - | grep -oE '\bcl[A-Z][A-Za-z0-9]*\(' | tr -d '(' | expect "functions of CL/cl.h" global c opencl
    echo | clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -dM -E - | macros plain | grep -v '^cl\(es\)\?_' | expect "macros of OpenCL C" member c opencl
fi
if has nvcc; then
    printf '#include <cuda_runtime.h>\n#include <math.h>\n' > "$scratch/cuda.cu"
    nvcc -E -Xcompiler -dM "$scratch/cuda.cu" 2> /dev/null | macros plain | expect "macros of CUDA" member c cuda
    nvcc -E "$scratch/cuda.cu" 2> /dev/null | grep -oE '\b[A-Za-z][A-Za-z0-9_]*\(' | tr -d '(' | sort -u |
        "$BUILD/tests/names/reserved" global c cuda | grep -vxE 'assert|defined|flt_.*' > "$scratch/free"
    # Those that are no names outside of all namespaces are told by the compiler.
    {
        cat "$scratch/cuda.cu"
        awk '{ print "namespace flt_" NR " { using ::" $1 "; }" }' "$scratch/free"
    } > "$scratch/global.cu"
    nvcc -std=c++17 -Xcudafe --error_limit=100000 -cuda -o "$scratch/global.ii" "$scratch/global.cu" > "$scratch/said" 2>&1
    grep -oE 'has no "[A-Za-z0-9_]*"' "$scratch/said" | cut -d'"' -f2 | sort -u > "$scratch/absent"
    sort -u "$scratch/free" | comm -23 - "$scratch/absent" | expect "functions of CUDA" global c cuda
fi

# ---- Names in all roles ----

# Names of the language itself, and such as a filter here has for something else.
own='border const drop each else estimate example extern false fast filter fixed fn for from import let over param repeat
require schedule table true trunc ufixed where wrap in out y x rich'
sed -n '/^RESERVED/,/)$/s/.*"\(.*\)".*/\1/p' compiler/emit/launch/reserved.def | cat - tests/names/words.txt |
    tr -s ' ' '\n' | sed 's/\*$/PI_2/' | grep -v '^$' | sort -u | grep -vxF "$(tr -s ' ' '\n' <<< "$own")" > "$scratch/all"
# accepted WORDS NAMES: those of the file that the language takes as names: it is asked until it refuses none of the rest
accepted() {
    local turn
    cp "$1" "$2"
    for ((turn = 0; turn < 40; turn++)); do
        awk 'BEGIN { print "filter try(in : image<f32>[y, x]" } { print ", param " $1 " : f32 = 1" }
            END { print ") -> out : image<f32>[y, x] { out[y, x] = in[y, x]; }" }' "$2" > "$scratch/try.flt"
        "$BUILD/fltc" check "$scratch/try.flt" > "$scratch/said" 2>&1
        sed -n -E 's/.*try\.flt:([0-9]+):.*error.*/\1/p' "$scratch/said" | sort -un > "$scratch/refused"
        [ -s "$scratch/refused" ] || break
        awk 'NR == FNR { refused[$1 - 1] = 1; next } !(FNR in refused)' "$scratch/refused" "$2" > "$scratch/rest"
        mv "$scratch/rest" "$2"
    done
}
accepted "$scratch/all" "$scratch/names"
[ "$(wc -l < "$scratch/names")" -gt 2000 ] || fail "too few names are left to try"

rich='exp(in[y, x]) + log(1 + abs(in[y, x])) + sqrt(abs(in[y, x])) + floor(in[y, x]) * round(in[y, x]) + atan(in[y, x]) + min(in[y, x], 3) + sin(in[y, x])'
program() { # ROLE: names on standard input → a filter
    case $1 in
    parameter) awk -v rich="$rich" '{ p = p ", param " $1 " : f32 = 1"; s = s " + " $1 }
        END { print "filter roles(in : image<f32>[y, x]" p ") -> out : image<f32>[y, x] { out[y, x] = " rich s "; }" }' ;;
    input) awk -v rich="$rich" '{ p = p ", " $1 " : image<f32>[y, x]"; s = s " + " $1 "[y, x]" }
        END { print "filter roles(in : image<f32>[y, x]" p ") -> out : image<f32>[y, x] { out[y, x] = " rich s "; }" }' ;;
    result) awk -v rich="$rich" '{ r = r (NR > 1 ? ", " : "") $1 " : image<f32>[y, x]"; s = s " " $1 "[y, x] = in[y, x] * " NR " + r[y, x];" }
        END { print "filter roles(in : image<f32>[y, x]) -> (" r ") { r[y, x] = " rich ";" s " }" }' ;;
    axis) awk '{ p = p ", image_" NR " : image<f32>[" $1 "]"; s = s " + image_" NR "[0] border clamp" }
        END { print "filter roles(in : image<f32>[y, x]" p ") -> out : image<f32>[y, x] { out[y, x] = exp(in[y, x])" s "; }" }' ;;
    stage) awk -v rich="$rich" 'BEGIN { at = "r" } { s = s " " $1 "[y, x] = " at "[y - 1, x] + floor(" at "[y, x + 1]);"; at = $1 }
        END { print "filter roles(in : image<f32>[y, x]) -> out : image<f32>[y, x] { border clamp; r[y, x] = " rich ";" s " out[y, x] = " at "[y, x + 1]; }" }' ;;
    recurrence) awk -v rich="$rich" '{ s = s " " $1 "[y, x] : f32 = 0.5 * " $1 "[y, x - 1] + r[y, x] border zero;"; o = o " + " $1 "[y, x]" }
        END { print "filter roles(in : image<f32>[y, x]) -> out : image<f32>[y, x] { r[y, x] = " rich ";" s " out[y, x] = 0" o "; }" }' ;;
    variable) awk -v rich="$rich" '{ s = s " + sum[" $1 " in 0 .. 9](in[y, x + " $1 "] * floor(in[y + " $1 ", x]))" }
        END { print "filter roles(in : image<f32>[y, x]) -> out : image<f32>[y, x] { border clamp; out[y, x] = " rich s "; }" }' ;;
    esac
}
integers() { # the same without reals, for circuits
    case $1 in
    parameter) awk '{ p = p ", param " $1 " : i32 = 1 in 0 .. 3"; s = s " + " $1 }
        END { print "filter roles(in : image<u8>[y, x]" p ") -> out : image<i32>[y, x] { out[y, x] = in[y, x]" s "; }" }' ;;
    input) awk '{ p = p ", " $1 " : image<u8>[y, x]"; s = s " + " $1 "[y, x]" }
        END { print "filter roles(in : image<u8>[y, x]" p ") -> out : image<i32>[y, x] { out[y, x] = in[y, x]" s "; }" }' ;;
    result) awk '{ r = r (NR > 1 ? ", " : "") $1 " : image<i32>[y, x]"; s = s " " $1 "[y, x] = in[y, x] * " NR ";" }
        END { print "filter roles(in : image<u8>[y, x]) -> (" r ") {" s " }" }' ;;
    stage) awk 'BEGIN { at = "in" } { s = s " " $1 "[y, x] : u8 = u8((" at "[y, x - 1] + " at "[y, x]) / 2);"; at = $1 }
        END { print "filter roles(in : image<u8>[y, x]) -> out : image<u8>[y, x] { border clamp;" s " out[y, x] = " at "[y, x + 1]; }" }' ;;
    *) cat > /dev/null ;;
    esac
}

# says WHAT COMMAND...: it ends well and says nothing
says() {
    local what=$1
    shift
    if "$@" > "$scratch/said" 2>&1 && [ ! -s "$scratch/said" ]; then pass; else
        fail "$what: $*"
        grep -m 8 -E 'rror|arning' "$scratch/said" >&2
    fi
}
emits() { # WHAT TARGET FILE FOLDER [OPTION...]: warnings are no matter here
    (ulimit -t 60 && "$BUILD/fltc" emit "$3" --target "$2" "${@:5}" -o "$4/$2/" > "$scratch/said" 2>&1) && pass && return
    fail "$1 for $2 is not emitted"
    grep -m 3 error "$scratch/said" >&2
    return 1
}
compile_c() { # WHAT FILE
    says "$1" gcc -std=gnu17 -O0 -Wall -Wextra -Werror -c "$2" -o "$2.o"
    says "$1" gcc -std=gnu2x -O0 -Wall -Wextra -Werror -c "$2" -o "$2.o"
    says "$1" g++ -x c++ -O0 -Wall -Wextra -Werror -c "$2" -o "$2.o"
    has clang && says "$1" clang -std=c99 -O0 -Wall -Wextra -Werror -c "$2" -o "$2.o"
}
# The text of the kernels, which stands in the file line by line.
kernels() {
    awk '/^static const char \*const [a-zA-Z0-9_]*_text\[\] = \{/ { inside = 1; next }
         inside && /\};$/ { sub(/\};$/, ""); print; exit }
         inside' "$1" | sed -E 's/^    "//; s/",?$//; s/\\n$//; s/\\"/"/g; s/\\\\/\\/g'
}
kernels_compile() { # WHAT FILE
    has clang || return
    kernels "$2" > "$2.cl"
    says "$1, OpenCL's kernels" clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror \
        -Wno-unused-function -Wno-unused-parameter -fsyntax-only "$2.cl"
}
circuit_lint() { # WHAT TARGET FOLDER
    case $2 in
    verilog) has iverilog && says "$1" iverilog -g2001 -t null "$3"/*.v && has verilator && says "$1" make -s -C "$3" lint ;;
    *) says "$1" make -s -C "$3" lint ;;
    esac
}
emit_host() { # WHAT FOLDER, of roles.flt
    emits "$1" c "$2/roles.flt" "$2" && compile_c "$1" "$2/c/roles.c"
    emits "$1" opencl "$2/roles.flt" "$2" && [ -n "$opencl" ] &&
        says "$1, OpenCL's host" gcc -O0 -Wall -Wextra -Werror -c "$2/opencl/roles.c" -o "$2/o.o" &&
        kernels_compile "$1" "$2/opencl/roles.c"
    emits "$1" cuda "$2/roles.flt" "$2" && has nvcc &&
        says "$1, CUDA" nvcc -std=c++17 -ptx -arch=compute_75 -Xcompiler -Wall -o "$2/cuda.ptx" "$2/cuda/roles.cu"
}
emit_circuits() { # WHAT FOLDER, of roles.flt
    local target
    for target in hls hls-c verilog; do
        emits "$1" $target "$2/roles.flt" "$2" --size y=4,x=9 && circuit_lint "$1" $target "$2/$target"
    done
}
emit_roles() { # ROLE NUMBER FILE OF NAMES
    local folder=$scratch/$1_$2
    mkdir "$folder"
    program "$1" < "$3" > "$folder/roles.flt"
    emit_host "$1 $2" "$folder"
    integers "$1" < "$3" > "$folder/roles.flt"
    [ ! -s "$folder/roles.flt" ] || emit_circuits "$1 $2" "$folder"
}
# The parts are numbered as are pairs of a part and a role; without FULL each role has a part of its own.
roles=(parameter input result axis stage recurrence variable)
shuf --random-source=<(yes) "$scratch/names" | split -l 60 -a 3 -d - "$scratch/part_"
parts=("$scratch"/part_*)
for ((n = 0; n < ${#parts[@]} * ${#roles[@]}; n++)); do
    role=${roles[$((n % ${#roles[@]}))]} part=${parts[$((n / ${#roles[@]}))]}
    [ -n "${ROLES:-}" ] && [[ " $ROLES " != *" $role "* ]] && continue
    [ -n "${FULL:-}" ] || [ $((n % (${#roles[@]} + 1))) -eq 0 ] && [ $n -lt $((${#roles[@]} * (${#roles[@]} + 1))) ] || continue
    is_mine $n && emit_roles "$role" "${part##*_}" "$part"
done
emit_case() {
    local folder=$scratch/case
    mkdir "$folder"
    cp tests/names/case.flt "$folder/roles.flt"
    emit_host "names that differ in case" "$folder"
    emit_circuits "names that differ in case" "$folder"
}
is_mine 0 && emit_case

# ---- Names of the emitted text itself ----

emit_own_words() {
    local folder=$scratch/words role part
    mkdir "$folder"
    echo none | program recurrence > "$folder/roles.flt"
    emits "a filter with few names" c "$folder/roles.flt" "$folder" --self-check || return
    # Words with the filter's own name in front are also tried without it.
    sed 's,/\*.*\*/,,' "$folder"/c/roles.[ch] | grep -oE '\b[a-z][a-z0-9_]*' | sed -E 's/^roles_//' | grep -v '^flt_' | sort -u |
        grep -vxF "$(tr -s ' ' '\n' <<< "$own r")" > "$folder/all"
    accepted "$folder/all" "$folder/names"
    [ "$(wc -l < "$folder/names")" -gt 100 ] || fail "too few words of the emitted text are left to try"
    split -l 30 -d "$folder/names" "$folder/part_"
    for part in "$folder"/part_*; do
        for role in parameter input result; do
            program $role < "$part" > "$folder/roles.flt"
            emits "$role ${part##*/} of the emitted text" c "$folder/roles.flt" "$folder" --self-check &&
                says "$role ${part##*/} of the emitted text" gcc -std=gnu17 -O0 -Wall -Wextra -Werror -fsyntax-only "$folder/c/roles.c"
        done
    done
}
is_mine 1 && emit_own_words

# ---- Names of filters ----

emit_own_name() { # NAME
    local folder=$scratch/own_$1 target
    mkdir "$folder"
    echo "filter $1(img : image<u8>[y, x], param g : i32 = 2 in 0 .. 5) -> out : image<u8>[y, x] { out[y, x] = u8(img[y, x] / 4 + g); }" > "$folder/own.flt"
    emits "filter $1" c "$folder/own.flt" "$folder" && compile_c "filter $1" "$folder"/c/*.c
    [ -n "$opencl" ] && emits "filter $1" opencl "$folder/own.flt" "$folder" &&
        says "filter $1, OpenCL's host" gcc -O0 -Wall -Wextra -Werror -c "$folder"/opencl/*.c -o "$folder/o.o"
    has nvcc && emits "filter $1" cuda "$folder/own.flt" "$folder" &&
        says "filter $1, CUDA" nvcc -std=c++17 -ptx -arch=compute_75 -Xcompiler -Wall -o "$folder/o.ptx" "$folder"/cuda/*.cu
    for target in hls hls-c; do
        emits "filter $1" $target "$folder/own.flt" "$folder" --size y=3,x=4 && {
            make -s -C "$folder/$target" csim CFLAGS=-O0 CXXFLAGS=-O0 > "$scratch/said" 2>&1 && pass || fail "filter $1 for $target: csim"
        }
    done
    has iverilog || return
    # A word of Verilog is refused.
    if "$BUILD/fltc" emit "$folder/own.flt" --target verilog --size y=3,x=4 -o "$folder/verilog/" > "$scratch/said" 2>&1; then
        says "filter $1 for verilog" iverilog -g2001 -t null "$folder"/verilog/*.v
    elif grep -q 'E0903.*cannot be called' "$scratch/said" && "$BUILD/tests/names/reserved" member verilog <<< "$1" > /dev/null; then
        pass
    else
        fail "filter $1 for verilog"
    fi
}
others=$([ -n "${ROLES:-}" ] || [ -z "${FULL:-}" ] || awk -v every="${EVERY:-300}" 'NR % every == 7' "$scratch/names")
n=0
for name in p s f state port images results parameters IMAGES draw model call flt_bench hls std M_PI size isnan exp10 uint8_t $others; do
    n=$((n + 1))
    [ -n "${FULL:-}" ] || [ $((n % 4)) -eq 1 ] || continue
    is_mine $n && [ ! -d "$scratch/own_$name" ] && emit_own_name "$name"
done

echo "names: $passed passed, $failed failed"
[ $failed -eq 0 ]
