#!/usr/bin/env bash
# Reads that stay inside their image without a border rule. BUILD: the build folder.
# inside/NAME.in are programs in which each such read is followed by @. Without the marks they have to be
# accepted without a word. Where `border constant(1e9)` stands in place of the marks, all results must be the
# same, on images of several extents and for several parameters: a read outside would show.
# Random programs follow, most of which are refused; those that are accepted are compared in the same way.
# COUNT: how many (120); SEED: of the first. SHARE=K/N: every Nth program, from the Kth on.
set -u
cd "$(dirname "$0")" || exit 1
fltc=$(realpath "${BUILD:-../../build}")/fltc
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export NO_COLOR=1 XDG_CACHE_HOME=$scratch/cache PATH=$PWD/../unoptimized:$PATH
passed=0 failed=0 n=0 share=${SHARE:-1/1}
is_of_share() {
    n=$((n + 1))
    [ $((n % ${share#*/})) -eq $((${share%/*} % ${share#*/})) ]
}
fail() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}

# ramp COUNT: samples of f32, 1 to 2, all different.
ramp() {
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "\\x%02x\\x%02x\\x80\\x3f", (i * 37) % 256, (i * 101 + 5) % 256 }'
}
for n in 1 2 3 4 5 8 9 16 17 64 81 256 289; do
    # shellcheck disable=SC2059
    printf "$(ramp $n)" > "$scratch/$n.raw"
done

# The inputs of a program over images of `n` samples along each axis, of `m` along those of b, and for c the rest.
arguments() { # FILE N M
    local word list name axes extent
    for word in $(sed -n '1s/image<f32>\[\([^]]*\)\]/image[\1]/g; 1s/, \([a-z0-9]*\)\]/,\1]/g; 1s/.*f(\(.*\)) -> .*/\1/p' "$1" |
                  grep -o '[a-z]* : image\[[^]]*\]' | sed 's/ : image\[/:/; s/\]//'); do
        name=${word%%:*} axes=${word#*:} extent=$2
        [ "$name" = b ] && extent=$3
        [ "$name" = c ] && [ $(($2 - $3)) -gt 0 ] && extent=$(($2 - $3))
        case $axes in
        *,*) list="$name=$scratch/$((extent * extent)).raw:${axes%%,*}=$extent,${axes#*,}=$extent:f32" ;;
        *) list="$name=$scratch/$extent.raw:$axes=$extent:f32" ;;
        esac
        echo "$list"
    done
}

# compare NAME FILE [compiled]: the two programs have the same results; says how often they have any.
compare() {
    local n m parameters status other runs=0
    sed 's/@//g' "$2" > "$scratch/bare.flt"
    sed 's/@/ border constant(1e9)/g' "$2" > "$scratch/ruled.flt"
    for n in "1 1" "3 3" "8 4" "4 8"; do
        m=${n#* } n=${n% *}
        for parameters in "" "--r 1 --s 0" "--r 5 --s 3"; do
            for word in $parameters; do
                case $word in --*) grep -q "param ${word#--} :" "$2" || parameters= ;; esac
            done
            # shellcheck disable=SC2046,SC2086
            "$fltc" interpret "$scratch/bare.flt" $(arguments "$2" "$n" "$m") -o "$scratch/bare.npy" $parameters \
                > "$scratch/log" 2>&1
            status=$?
            # shellcheck disable=SC2046,SC2086
            "$fltc" interpret "$scratch/ruled.flt" $(arguments "$2" "$n" "$m") -o "$scratch/ruled.npy" $parameters \
                > "$scratch/other" 2>&1
            other=$?
            if [ $status != $other ] || { [ $status = 0 ] && ! cmp -s "$scratch/bare.npy" "$scratch/ruled.npy"; }; then
                fail "$1: other results at $n, $m, $parameters: $(cat "$scratch/log")"
                return 1
            fi
            # Compiled code has the same bits.
            # shellcheck disable=SC2046,SC2086
            if [ $status = 0 ] && [ $runs = 1 ] && [ "${3:-}" ] &&
               { ! "$fltc" run "$scratch/bare.flt" $(arguments "$2" "$n" "$m") -o "$scratch/run.npy" $parameters \
                     2> "$scratch/log" || ! cmp -s "$scratch/bare.npy" "$scratch/run.npy"; }; then
                fail "$1: compiled otherwise at $n, $m, $parameters: $(cat "$scratch/log")"
                return 1
            fi
            [ $status = 0 ] && runs=$((runs + 1))
        done
    done
    echo $runs > "$scratch/runs"
}

for file in inside/*.in; do
    is_of_share || continue
    name=$(basename "$file" .in)
    sed 's/@//g' "$file" > "$scratch/bare.flt"
    if ! "$fltc" check "$scratch/bare.flt" 2> "$scratch/log" || [ -s "$scratch/log" ]; then
        fail "$name: $(cat "$scratch/log")"
    elif compare "$name" "$file" compiled; then
        if [ "$(cat "$scratch/runs")" -gt 0 ]; then passed=$((passed + 1)); else fail "$name: $(cat "$scratch/log")"; fi
    fi
done

random_program() { # SEED
    awk -v seed="$1" '
    function pick(list,   words, n) { n = split(list, words, "|"); return words[int(rand() * n) + 1] }
    BEGIN {
        srand(seed); rand()
        print "filter f(in : image<f32>[x], b : image<f32>[u], param r : i32 = 2 in " pick("0|1") " .. 5, param s : i32 = 1 in 0 .. 3) -> out : image<f32>[x]"
        print "{"
        known = pick("|b.u == in.x|b.u >= in.x|b.u == 2 * in.x|in.x >= b.u|in.x >= 2 * r + s|b.u <= in.x / 2|r <= b.u \\&\\& b.u <= in.x|in.x % 2 == 0")
        gsub(/\\/, "", known)
        if (known) print "    require " known ";"
        print "    wide[x in " pick("0|-r|-s|-r - s|-2 * r") " ..< in.x" pick("| + r| + s| + r + s| + 2 * r|/ 2 + r") "] = in[x] border clamp;"
        print "    out[x in " pick("0|0|0|1|s") " ..< " pick("in.x|in.x|in.x|in.x / 2|b.u|2 * in.x|in.x - r|in.x - b.u + 1|b.u / 2") "] = " \
              pick("sum|max|count|sum|argmin") "[d in " pick("0|0|-r|-s|1") " .. " pick("r|s|r + s|r / 2|b.u - 1|r - 1|2") "](" \
              pick("wide|wide|in|b") "[" pick("x + d|x + d|x + d|x + 2 * d|2 * x + d|x - d|x / 2 + d|x + d + r|x + d - s|(x + d) / 2|d|in.x - 1 - x - d|min(x + d, in.x - 1)") "]@" "KIND) ELSE;"
        print "}"
    }' | sed '/count\[/s/KIND/ > 1.25/; s/KIND//; /argmin\[/s/ELSE/else 0/; s/ ELSE//'
}
accepted=0
for ((seed = ${SEED:-1}; seed < ${SEED:-1} + ${COUNT:-120}; seed++)); do
    is_of_share || continue
    random_program "$seed" > "$scratch/random.in"
    sed 's/@//g' "$scratch/random.in" > "$scratch/bare.flt"
    "$fltc" check "$scratch/bare.flt" > /dev/null 2> "$scratch/log"
    case $? in
    0) accepted=$((accepted + 1))
       if compare "seed $seed" "$scratch/random.in"; then passed=$((passed + 1)); else cat "$scratch/random.in" >&2; fi ;;
    1) ;;
    *) fail "seed $seed: $(cat "$scratch/log")" ;;
    esac
done
echo "reads inside, $accepted random programs accepted: $passed passed, $failed failed"
[ $failed -eq 0 ]
