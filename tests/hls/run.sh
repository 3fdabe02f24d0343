#!/usr/bin/env bash
# Circuits in C++: each program of tests/circuit for the sizes that its first line names, SIZE:4 with 4 samples a clock.
# The design is simulated against the C of the same filter, with streams as deep as tokens come, and with streams of the
# depths that it gives them, where processes that wait for each other are a deadlock. What the test has to see is planted:
# wrong constants, and FIFOs too small. The same in C is simulated under sanitizers. The compiler must have nothing to say of the text; pragmas have allowed words and
# places.
# BUILD=folder of fltc. SHARE=K/N: every Nth program, from the Kth on; files for tools in the last share. VENDOR=folder with ap_int.h and hls_stream.h: numbers
# of as many bits as they have, and the vendor's streams, too. PROGRAMS=N: so many random ones besides, from seed SEED on,
# if tests/fuzz/generate_circuit is compiled; those that cannot stream do not count.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
fltc=$BUILD/fltc
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
seed=${SEED:-1}
unset SEED # which benches would take for theirs
pass() { passed=$((passed + 1)); }
fail() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}
command -v g++ > /dev/null || {
    echo "SKIPPED tests/hls: there is no g++" >&2
    exit 0
}

simulate() { # FOLDER WHAT: make's status, what it says in FOLDER/said
    make -s -B -C "$1" "$2" CXXFLAGS=-O0 > "$1/said" 2>&1
}
expect() { # NAME FOLDER WHAT
    if simulate "$2" "$3"; then pass; else
        fail "$1: $3"
        tail -20 "$2/said" >&2
    fi
}
# Whether the design runs with no stream deeper than that; the last one compiled.
runs_at() { # FOLDER DEPTH
    FLT_MOST_DEPTH=$2 "$1"/bounded_* > "$1/said"
}
# The least depth that all streams may have is not above what the design says, and one less is a deadlock.
check_least_depth() { # NAME FOLDER
    local low=1 high middle
    high=$(grep -o 'STREAM .*depth=[0-9]*' "$2"/*.cpp | sed 's/.*=//' | sort -n | tail -1)
    while [ $((low + 1)) -lt "$high" ]; do
        middle=$(((low + high) / 2))
        if runs_at "$2" $middle; then high=$middle; else low=$middle; fi
    done
    runs_at "$2" $low
    if [ $? = 3 ] && grep -q '^DEADLOCK: .* is full$' "$2/said" && runs_at "$2" "$high"; then pass; else
        fail "$1: no deadlock at depth $low"
    fi
}
# A design that is wrong must fail.
plant() { # NAME FOLDER SED
    local design
    design=$(basename "$(ls "$2/$1".c "$2/$1".cpp 2> /dev/null)")
    cp "$2/$design" "$scratch"
    sed -i "$3" "$2/$design"
    if cmp -s "$2/$design" "$scratch/$design"; then fail "$1: nothing to plant: $3"; elif
        simulate "$2" csim || ! grep -qE ' wrong$|while it is empty|tokens are left' "$2/said"
    then fail "$1: not noticed: $3"; else pass; fi
    cp "$scratch/$design" "$2/$design"
}

# The compiler says nothing, and pragmas have words and places that are allowed.
check_lint() { # NAME FOLDER
    if make -s -C "$2" lint > "$2/said" 2>&1 && [ ! -s "$2/said" ]; then pass; else
        fail "$1: the compiler's warnings"
        head -20 "$2/said" >&2
    fi
    if awk -f pragmas.awk $(ls "$2"/*.c "$2"/*.cpp 2> /dev/null | grep -v '_tb\|_model') > "$2/said"; then pass; else
        fail "$1: pragmas"
        head "$2/said" >&2
    fi
}

pixels() { # SIZE
    case $1 in *:*) echo "--pixels ${1#*:}" ;; esac
}

# The same in C, whose streams are arrays.
run_in_c() { # FILE SIZE NAME
    local folder=$scratch/c
    rm -rf "$folder"
    "$fltc" emit "$1" --target hls-c --size "${2%:*}" $(pixels "$2") -o "$folder/" 2> "$scratch/said" || {
        fail "$3: not emitted in C"
        cat "$scratch/said" >&2
        return
    }
    CPPFLAGS="-O1 -fsanitize=undefined,address -fno-sanitize-recover" expect "$3, in C" "$folder" csim
    check_lint "$3, in C" "$folder"
    [ "$(basename "$1") $2" != "blur.flt y=3,x=5" ] || plant blur "$folder" 's/centre == 0/centre == 1/'
}

run_one() { # FILE SIZE, or SIZE:SAMPLES, of a clock; and a word if it may be refused
    local folder name
    name="$(basename "$1") at $2"
    folder=$scratch/$(basename "$1" .flt)_$2
    mkdir "$folder"
    if ! "$fltc" emit "$1" --target hls --size "${2%:*}" $(pixels "$2") --verify-each -o "$folder/" 2> "$folder/said"; then
        [ "${3:-}" ] && grep -q 'error\[E' "$folder/said" && return
        fail "$name: not emitted"
        cat "$folder/said" >&2
        return
    fi
    expect "$name" "$folder" csim
    expect "$name" "$folder" csim-bounded
    run_in_c "$1" "$2" "$name"
    case $name in
    laplace.flt* | pyramid.flt*) check_least_depth "$name" "$folder" ;;
    "blur.flt at y=3,x=5")
        plant blur "$folder" 's/ + 8;/ + 9;/'
        plant blur "$folder" 's/centre == 0/centre == 1/'
        plant blur "$folder" 's/!beat.user/false/'
        ;;
    quarter.flt*) plant quarter "$folder" 's/(centre & 3) == 0/(centre \& 3) == 1/' ;;
    iir.flt*) plant iir "$folder" 's/before\[5\] = before\[2\]/before[5] = 0/' ;;
    "hist.flt at y=20,x=33") plant hist "$folder" 's/recent_bin\[0\] = .*;/recent_bin[0] = 0;/' ;;
    esac
    [ -z "${VENDOR:-}" ] || CPPFLAGS="-DFLT_AP -I$VENDOR -w" expect "$name, the vendor's headers" "$folder" csim
    check_lint "$name" "$folder"
}

# The files for the vendor's tools name the clock and the part that were asked for.
files_name() { # TARGET PERIOD PART FILE OPTION …
    local folder=$scratch/named target=$1 period=$2 part=$3 file=$4
    shift 4
    rm -rf "$folder"
    if "$fltc" emit "$file" --target "$target" --size y=9,x=12 "$@" -o "$folder/" &&
        grep -qx "clock=${period}ns" "$folder/hls_config.cfg" && grep -qx "part=$part" "$folder/hls_config.cfg" &&
        grep -qx "create_clock -period $period -name default" "$folder/run_hls.tcl" &&
        grep -qx "set_part $part" "$folder/run_hls.tcl"
    then pass; else fail "$target $*: not a clock of $period ns and part $part"; fi
}
check_named() {
    local target usual=xc7z020clg400-1
    { cat ../circuit/blur.flt && echo 'schedule blur for hls { clock 125; }' &&
        echo 'schedule blur for hls-c { clock 125; }'; } > "$scratch/clocked.flt"
    for target in hls hls-c; do
        files_name $target 10 $usual ../circuit/blur.flt
        files_name $target 6.667 $usual ../circuit/blur.flt --clock 150
        files_name $target 15.038 xcu250-figd2104-2L-e ../circuit/blur.flt --clock 66.5 --part xcu250-figd2104-2L-e
        files_name $target 8 $usual "$scratch/clocked.flt"
        files_name $target 5 $usual "$scratch/clocked.flt" --clock 200
    done
}
# Arrays hold numbers outside of types, too: they are clamped, and nothing is read behind a table.
run_held() {
    local folder=$scratch/held
    "$fltc" emit ../circuit/held.flt --target hls-c --size x=6,i=8 -o "$folder/" 2> "$scratch/said" &&
        gcc -std=c99 -O1 -fsanitize=undefined,address -fno-sanitize-recover -Wno-unknown-pragmas -I"$folder" held.c \
            "$folder/held.c" "$folder/held_model.c" -o "$folder/held" -lm > "$scratch/said" 2>&1 &&
        "$folder/held" > "$scratch/said" 2>&1 && pass || {
        fail "held.flt: numbers outside of types"
        head -20 "$scratch/said" >&2
    }
}
run_held

share=${SHARE:-1/1} n=0
[ "${share%/*}" -eq "${share#*/}" ] && check_named
for file in ../circuit/*.flt; do
    for size in $(sed -n '1s,^// SIZES: ,,p' "$file"); do
        n=$((n + 1))
        [ $((n % ${share#*/})) = $((${share%/*} % ${share#*/})) ] && run_one "$file" "$size"
    done
done
if [ "${PROGRAMS:-0}" -gt 0 ]; then
    "$BUILD/tests/fuzz/generate_circuit" --print --seed "$seed" --count "$PROGRAMS" |
        awk -v folder="$scratch" '/^\/\/ seed/ { file = folder "/seed_" $3 + 0 ".flt" } { print > file }'
    for file in "$scratch"/seed_*.flt; do
        run_one "$file" "$(sed -n '1s,.*size ,,p' "$file")" random
    done
fi
echo "hls: $passed passed, $failed failed"
[ $failed -eq 0 ]
