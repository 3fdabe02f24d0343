#!/usr/bin/env bash
# Every ```flt block of the pages of the language. BUILD: the build folder.
# A block whose first line is "// wrong: CODE" is refused with that code, any other passes
# `fltc check`. A block without a filter of its own is the body of one. A ```c block that begins with a name,
# /* gain.h */, is a header beside them all.
# Every word of the tables of keywords, types, functions, reductions, border rules and directives is in the text.
set -eu
cd "$(dirname "$0")/../.."
work="$BUILD/tests/language"
rm -rf "$work"
mkdir -p "$work"

pages=(grammar/*.md doc/CIRCUITS.md)

# One file a block, named by its page and its line there.
awk -v work="$work" '
    FNR == 1   { page = FILENAME; sub(/.*\//, "", page); sub(/\.md$/, "", page) }
    /^```flt$/ { file = sprintf("%s/%s.line%04d.flt", work, page, FNR); printf "" > file; next }
    /^```/     { if (file) close(file); file = ""; next }
    file       { print > file }' "${pages[@]}"
awk -v folder="$work" -f tests/c_blocks.awk "${pages[@]}"

passed=0
failed=0
for block in "$work"/*.line*.flt; do
    if ! grep -qE '^(fast )?filter ' "$block"; then
        { head -n 1 "$block" | grep '^// wrong' || true
          echo 'filter sample(in : image<f32>[y, x]) -> out : image<f32>[y, x]'
          echo '{'
          sed '1{/^\/\/ wrong/d}' "$block"
          echo '}'; } > "$block.whole"
        mv "$block.whole" "$block"
    fi
    code=$(sed -n '1s|^// wrong: *\([EW][0-9]*\).*|\1|p' "$block")
    status=0
    "$BUILD/fltc" check "$block" 2> "$block.messages" || status=$?
    if [ -z "$code" ]; then
        good=$([ $status = 0 ] && [ ! -s "$block.messages" ] && echo yes || echo no)
        wanted='no message'
    else
        good=$(grep -q "\[$code\]" "$block.messages" && echo yes || echo no)
        wanted=$code
    fi
    if [ "$good" = yes ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$(basename "$block" .flt): expected $wanted, got:"
        cat "$block.messages"
    fi
done
words() { # FILE MACRO: first texts in quotes of the rows
    sed -n "s/^$2([^\"]*\"\([a-z0-9_]*\)\".*/\1/p" "$1"
}
# What is code: between backticks, not in an example.
code=$(sed '/^```flt$/,/^```$/d' "${pages[@]}" | tr '\n' ' ' | grep -o '`[^`]*`')
for word in $(words grammar/keywords.def KEYWORD; words compiler/expr/scalar.def SCALAR
              words compiler/frontend/functions.def FUNCTION; words compiler/frontend/functions.def LATER
              words compiler/frontend/axes_functions.def AXES_FUNCTION
              words compiler/frontend/transform_functions.def TRANSFORM_FUNCTION
              sed -n 's/^ELEMENTARY([A-Z0-9_]*, \([a-z0-9]*\),.*/\1/p' compiler/elementary/elementary.def
              words compiler/expr/reductions.def REDUCTION; words compiler/frontend/border_names.def BORDER_NAME
              sed -n 's/^\(DETAIL_DIRECTIVE\|DIRECTIVE\|CIRCUIT_SETTING\)(\([a-z_]*\),.*/\2/p' \
                  compiler/frontend/directives.def compiler/graph/circuit_settings.def); do
    if grep -qw -- "$word" <<< "$code"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "no page of the language describes '$word'"
    fi
done
inside=0
BUILD="$BUILD" bash tests/language/inside.sh || inside=1
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ] && [ $inside = 0 ]
