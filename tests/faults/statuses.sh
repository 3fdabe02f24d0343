#!/usr/bin/env bash
# Numbers of statuses, which programs keep: those of emitted headers, of the runtime and of the command, as
# statuses.expected has them. A line may be added there; none changes. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat > "$scratch/f.flt" <<'FLT'
filter f(in : image<f32>[y, x], param k : i32 in 0 .. 9) -> out : image<f32>[y, x]
{
    require in.x > k "columns";
    require in.y > k "rows";
    out = dct(in, [x], norm = none);
}
FLT
# Those of a header: NAME NUMBER, without the filter's name.
numbers() { sed -n 's/^    '"$1"'_\([A-Z_0-9]*\) = \([0-9]*\),.*/\1 \2/p' "$2"; }
status_of() { # ARGUMENTS of fltc: the exit status
    "$BUILD/fltc" "$@" > "$scratch/log" 2>&1
    echo $?
}
{
    "$BUILD/fltc" emit ../prepared/tabled.flt -o "$scratch/out/" && numbers TABLED "$scratch/out/tabled.h" > "$scratch/prepared"
    for options in "" "--self-check" "--size x=20" "--fft given" "--target cuda" "--target opencl"; do
        # shellcheck disable=SC2086
        "$BUILD/fltc" emit $options "$scratch/f.flt" -o "$scratch/out/" || exit 1
        numbers F "$scratch/out/f.h" | sed "s/^/filter /"
    done | sort -u -k3,3n -k2
    numbers FLT ../../runtime/include/flt/status.h | sed 's/^/library FLT_/'
    echo "command done $(status_of check "$scratch/f.flt")"
    echo "command wrong_input $(status_of check "$scratch/missing.flt")"
    echo "command wrong_usage $(status_of check)"
} > "$scratch/actual"
failed=0
cmp -s statuses.expected "$scratch/actual" || { diff -u statuses.expected "$scratch/actual" >&2; failed=1; }

# The page for programs has a row for each: | number | name | what it says |
page=../../examples/embed/README.md
while read -r of name number; do
    [ "$of" != command ] || continue
    grep -qE "^\| $number \| \`(NAME_)?$name\` \|" "$page" ||
        { echo "FAIL $page has no row of $of $name $number" >&2; failed=$((failed + 1)); }
done < <(grep -v CHECK_2 statuses.expected)
help=$("$BUILD/fltc" --help)
for words in '0 done' '1 the program or its input is wrong' '2 a fault of fltc' '3 wrong usage'; do
    grep -qF "$words" <<< "$help" || { echo "FAIL --help does not say: $words" >&2; failed=$((failed + 1)); }
done
echo "statuses: $(($(wc -l < statuses.expected) + 4 - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
