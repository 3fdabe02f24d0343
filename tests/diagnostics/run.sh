#!/usr/bin/env bash
# Messages: NAME.flt (or .loop) with NAME.text and NAME.json, what `fltc check` writes to standard error.
#   // RUN: fltc emit %s -o .     on the first line runs another command; CC=x fltc ... sets variables
#                                 %d is a folder in which all may write, as it is called in NAME.text
#   NAME.status                   the exit status, where it is not 1 (errors) or 0 (warnings)
# A name begins with the code that it is about. Every code has a test and a page of `fltc explain`; the
# first ```flt block of a page has the mistake, the second compiles without a word (where its first line is
# `// fltc emit …`, by that command); ```c blocks are the headers that they name.
# BUILD=folder of fltc. UPDATE=1 writes what is as what should be: read the difference.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
fltc=$BUILD/fltc
pages=../../compiler/diagnostics/explain
export NO_COLOR=1
scratch=$(mktemp -d)
export XDG_CACHE_HOME=$scratch/cache
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/open/fltc" && chmod 777 "$scratch/open/fltc"
passed=0 failed=0
[ -x "$fltc" ] || { echo "$fltc is missing" >&2; exit 1; }

pass() { passed=$((passed + 1)); }
fail() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}

# expect NAME EXPECTED ACTUAL
expect() {
    if cmp -s "$2" "$3"; then
        pass
    elif [ -n "${UPDATE:-}" ]; then
        cp "$3" "$2"
        pass
    else
        fail "$1"
        diff -u "$2" "$3" >&2
    fi
}

run_one() { # FILE
    local file=$1 name=${1%.*} code=${1%%_*} words status expected
    words=$(sed -n '1s,^// RUN: ,,p' "$file")
    words=${words:-fltc check %s}
    words=${words/fltc/$fltc}
    words=${words//%d/$scratch/open}
    # shellcheck disable=SC2086
    env ${words//%s/$file} > /dev/null 2> "$scratch/text" < /dev/null
    status=$?
    # shellcheck disable=SC2086
    env ${words//%s/$file} --diagnostics=json > /dev/null 2> "$scratch/json" < /dev/null
    sed -i "s,$scratch/open,%d,g" "$scratch/text" "$scratch/json"
    expect "$name.text" "$name.text" "$scratch/text"
    expect "$name.json" "$name.json" "$scratch/json"
    expected=0
    grep -q '^{.*"severity":"error"' "$scratch/json" && expected=1
    [ -f "$name.status" ] && expected=$(cat "$name.status")
    if [ "$status" = "$expected" ]; then pass; else fail "$name: exit status $status, not $expected"; fi
    if grep -q "\[$code\]" "$scratch/text"; then pass; else fail "$name: no message has the code $code"; fi
    if grep -qv '^{"version":1,"code":' "$scratch/json"; then fail "$name: not JSON alone"; else pass; fi
}

# The nth ```flt block of a page.
block() { # PAGE N
    awk -v wanted="$2" '/^```flt$/ { n++; inside = 1; next } /^```/ { inside = 0 } inside && n == wanted' "$1"
}

# The command that compiles a block.
emit_words() { # FILE
    local words
    words=$(sed -n '1s,^// fltc ,,p' "$1")
    echo "${words:-emit $1 -o ${1%.flt}.c}"
}

check_page() { # CODE
    local page=$pages/$1.md lines
    if [ ! -f "$page" ]; then
        fail "$1: no page in compiler/diagnostics/explain"
        return
    fi
    lines=$(wc -l < "$page")
    if [ "$lines" -ge 6 ] && [ "$lines" -le 40 ] && ! grep -q '.\{101\}' "$page"; then pass; else
        fail "$1.md: $lines lines, or a line of more than 100 columns"; fi
    "$fltc" explain "$1" > "$scratch/page"
    if awk '/^```/ { inside = !inside; next } { print (inside && length ? "    " : "") $0 }' "$page" |
        cmp -s - "$scratch/page"; then pass; else fail "$1.md: fltc explain prints something else"; fi
    grep -q '^```flt$' "$page" || return
    awk -v folder="$scratch" -f ../c_blocks.awk "$page"
    block "$page" 1 > "$scratch/$1.flt"
    { (cd "$scratch" && "$fltc" check "$1.flt" || "$fltc" emit "$1.flt" -o "$1.c") 2>&1 > /dev/null
      (cd "$scratch" && "$fltc" $(emit_words "$1.flt") 2>&1 > /dev/null); } > "$scratch/wrong"
    if grep -q "\[$1\]" "$scratch/wrong"; then pass; else
        fail "$1.md: the first block does not give $1"
        cat "$scratch/wrong" >&2
    fi
    block "$page" 2 > "$scratch/$1.flt"
    if (cd "$scratch" && "$fltc" check "$1.flt" && "$fltc" $(emit_words "$1.flt")) 2> "$scratch/cured" > /dev/null &&
        [ ! -s "$scratch/cured" ] && [ -s "$scratch/$1.flt" ]; then pass; else
        fail "$1.md: the second block does not compile"
        cat "$scratch/cured" >&2
    fi
    rm "$scratch/$1.flt"
}

codes=$(sed -n 's/^DIAGNOSTIC(\([A-Z0-9]*\),.*/\1/p' ../../compiler/diagnostics/diagnostics.def)
for file in *.flt *.loop; do
    case $file in part_*) ;; *) run_one "$file" ;; esac # part_*.flt is imported by another
done
for code in $codes; do
    if compgen -G "${code}_*.flt" > /dev/null || compgen -G "${code}_*.loop" > /dev/null; then pass; else
        fail "$code: no test"; fi
    check_page "$code"
done
for path in *.text "$pages"/*.md; do
    code=$(basename "$path")
    code=${code%%[_.]*}
    grep -qx "$code" <<< "$codes" || fail "$path: there is no code $code"
    case $path in *.text) [ -f "${path%.text}.flt" ] || [ -f "${path%.text}.loop" ] || fail "$path: of no test" ;; esac
done
if BUILD=$BUILD bash ./cures.sh > "$scratch/cures" 2>&1; then pass; else
    fail "calls that helps propose"
    cat "$scratch/cures" >&2
fi
echo "diagnostics: $passed passed, $failed failed"
[ $failed -eq 0 ]
