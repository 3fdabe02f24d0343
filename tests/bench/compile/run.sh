#!/usr/bin/env bash
# How long the compiler takes: medians of five runs of whole commands, in milliseconds of processor time, which other work on the
# machine changes little.
#   check of 200 stages under 20 ms; 1,000 stages emitted in under 2 s; 4,000 in under 6 times that, in the compiler's own
#   time, as what the system takes to hand out memory grows by steps of its own; values that each
#   take the one before three times, in lines of recurrences, or the two before, in integers that wrap, under 100 ms.
# How long the C of reductions over extents is. How memory grows with a program, and what is refused: growth.py.
set -u
cd "$(dirname "$0")"
work="$BUILD/tests/bench"
mkdir -p "$work"
passed=0
failed=0
median_ms() { # command…: the median of five, in hundredths
    local TIMEFORMAT="%3U ${own:-%3S}"
    for _ in 1 2 3 4 5; do
        { time "$@" > /dev/null 2>&1; } 2>&1 || return 1
    done | awk '{ printf "%.0f\n", 100000 * ($1 + $2) }' | sort -n | sed -n 3p
}
own_ms() { own=0 median_ms "$@"; } # without the system's time
limited() { (ulimit -t 20 && "$@"); }
expect_below() { # what, hundredths of ms, limit in hundredths of ms
    printf '%-34s %8s ms (limit %s ms)\n' "$1" "$(printf '%d.%02d' $(($2 / 100)) $(($2 % 100)))" "$(($3 / 100))"
    if [ "$2" -lt "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
for n in 200 1000 4000; do bash ../chain.sh $n > "$work/chain$n.flt"; done
ladder() { # values
    printf '%s\n' 'filter ladder(in : image<f32>[y, x]) -> out : image<f32>[y, x]' '{' \
        '    down[y, x] = in[y, x] + 0.9999 * down[y - 1, x] border zero;' '    up[y, x] = {' '        let v0 = in[y, x];'
    for i in $(seq "$1"); do echo "        let v$i = v$((i - 1)) * v$((i - 1)) + v$((i - 1));"; done
    printf '%s\n' "        v$1 + 0.9995 * up[y + 1, x] border state(down[y, x])" '    };' '    out = up;' '}'
}
ladder 60 > "$work/ladder.flt"
check=$(median_ms "$BUILD/fltc" check "$work/chain200.flt")
thousand=$(median_ms "$BUILD/fltc" emit "$work/chain1000.flt" -o "$work/chain1000.c")
own_thousand=$(own_ms "$BUILD/fltc" emit "$work/chain1000.flt" -o "$work/chain1000.c")
own_four=$(own_ms "$BUILD/fltc" emit "$work/chain4000.flt" -o "$work/chain4000.c")
expect_below "check, 200 stages" "$check" 2000
expect_below "emit, 1,000 stages" "$thousand" 200000
expect_below "emit, 4,000 stages, own time" "$own_four" $((6 * own_thousand))
shared=$(median_ms limited "$BUILD/fltc" emit "$work/ladder.flt" -o "$work/ladder.c") || shared=2000000
expect_below "emit, 60 values, each three times" "$shared" 10000
wrapping() { # values
    printf '%s\n' 'filter wrapping(a : image<i32>[x]) -> out : image<i32>[x]' '{' '    s[x] : i32 = {' \
        '        let v0 = s[x - 1] border zero;' '        let v1 = s[x - 2] border zero;'
    for i in $(seq 2 "$1"); do echo "        let v$i = wrap<i32>(v$((i - 1)) * 3 - v$((i - 2)));"; done
    printf '%s\n' "        wrap<i32>(v$1 + a[x])" '    };' '    out = s;' '}'
}
wrapping 60 > "$work/wrapping.flt"
twice=$(median_ms limited "$BUILD/fltc" emit "$work/wrapping.flt" -o "$work/wrapping.c") || twice=2000000
expect_below "emit, 60 values that wrap" "$twice" 10000
# Text that grows with the reductions that are written, not with the terms that there may be.
expect_bytes() { # workload, limit in KB, of which some 23 are the text of threads, floats and names
    "$BUILD/fltc" emit "../reductions/$1.flt" -o "$work/$1.c"
    local bytes
    bytes=$(stat -c %s "$work/$1.c")
    printf '%-34s %8s KB (limit %s KB)\n' "emit, $1" "$((bytes / 1000))" "$2"
    if [ "$bytes" -lt "$(($2 * 1000))" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
expect_bytes mean_projection 50
expect_bytes max_projection 46
expect_bytes grey_world 48
expect_bytes merge_exposures 55
expect_bytes deconvolve 113
expect_bytes pearson 85
expect_bytes find_template 119
python3 growth.py "$BUILD/fltc" "$work" > "$work/growth.log"
sed '$d' "$work/growth.log"
read -r more _ fewer _ < <(tail -1 "$work/growth.log")
passed=$((passed + ${more:-0}))
failed=$((failed + ${fewer:-1}))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
