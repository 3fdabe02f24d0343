#!/usr/bin/env bash
# The calls that foreign.def proposes for filters of other libraries: each compiles, for samples of one
# of the types that its filter takes, with the rule that the help writes or without one.
# BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# compiles MODULE CALL TYPE
compiles() {
    cat > "$scratch/cure.flt" << FLT
import std.$1;
filter f(in : image<$3>[y, x$4], k : image<$3>[y, x], a : image<$3>[y, x], b : image<$3>[y, x]) -> out : image<$3>[y, x$4]
{
    cured = $2;
    out = in;
}
FLT
    "$BUILD/fltc" check "$scratch/cure.flt" > /dev/null 2>&1
}

while IFS='|' read -r module call; do
    good=
    for type in f32 u8 bool; do
        for channels in '' ', c'; do
            for rule in ' border reflect' ''; do
                compiles "$module" "$call$rule" "$type" "$channels" && good=1 && break 3
            done
        done
    done
    if [ -n "$good" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $call of std.$module does not compile" >&2
    fi
done < <(tr '\n' ' ' < ../../compiler/frontend/foreign.def | sed 's/LIBRARY("/\n&/g; s/\/\* WHOLE.*//' |
    sed -n 's/^LIBRARY("[^"]*", *"\([^"]*\)", *"\([^"]*\)").*/\1|\2/p')
echo "cures: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
