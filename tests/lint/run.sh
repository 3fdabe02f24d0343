#!/usr/bin/env bash
# Plants what lint.sh must refuse, one mistake at a time: includes, in a copy of the compiler, and names of
# files in pages for developers. What the compiler's parts link is held against a list. BUILD=folder of libfltc.a.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r compiler "$copy"
passed=0 failed=0
lint() {
    (cd "$copy" && LINT_INCLUDES=1 bash "$OLDPWD/tests/lint.sh" > /dev/null 2>&1)
}
check() { # what, whether lint has passed, whether it should
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        echo "FAIL $1"
        failed=$((failed + 1))
    fi
}
lint && as_it_is=yes || as_it_is=no
check "the tree as it is" "$as_it_is" yes
while read -r file header; do
    if [ ! -f "$file" ]; then
        check "$file is not there" no yes
        continue
    fi
    cp "$copy/$file" "$copy/kept"
    echo "#include \"$header\"" >> "$copy/$file"
    lint && planted=yes || planted=no
    check "$file may include $header" "$planted" no
    mv "$copy/kept" "$copy/$file"
done << 'EOF'
compiler/graph/readers.c loop/lines/line_nest.h
compiler/frontend/scope.c graph/passes/x.h
compiler/emit/names.c graph/segments/chains.h
compiler/analysis/cost.c graph/placement/tiles.h
compiler/loop/lower/loop_nest.c graph/segments/segments.h
compiler/emit/kernel/types.c loop/lower/lowering.h
compiler/graph/graph_build.c graph/placement/traffic.h
compiler/graph/recurrence/feedback.c graph/segments/chains.h
compiler/interpret/tape.c graph/placement/line_groups.h
compiler/target/c.c command/command.h
compiler/driver/compile.c command/command.h
compiler/interpret/value.c driver/driver.h
compiler/target/target.c emit/dialect.h
EOF
# Pages of developers: names of files that exist, and one that does not.
page() { # text, whether it passes, options
    echo "$1" > "$copy/compiler/PAGE.md"
    bash tests/lint/pages.sh ${3:-} "$copy/compiler/PAGE.md" > /dev/null 2>&1 && found=yes || found=no
    check "a page that says: $1" "$found" "$2"
}
page 'See `graph/graph.h`, `loop.h`, `graph/passes/NAME.c` and [the rules](main.c).' yes
page 'See `graph/grahp.h`.' no
page 'See `no_such_file.c`.' no
page 'See [the rules](no_such_page.md).' no
# Numbers of machines, and draws.
numbers() { # what a pass has
    cp "$copy/compiler/graph/passes/fuse_stages.c" "$copy/kept"
    echo "$1" >> "$copy/compiler/graph/passes/fuse_stages.c"
    lint && found=yes || found=no
    check "a pass that has: $1" "$found" no
    mv "$copy/kept" "$copy/compiler/graph/passes/fuse_stages.c"
}
numbers 'static const uint64_t drawn = random_choice(1, 2, 3);'
numbers 'enum { THREADS = 256 };'
numbers 'enum { MOST = 3, BYTES_OF_STRIPS = 1 << 12 };'
# What links what: as the list has it, and not with a line less or more.
links() { # what, sed's change of the list, whether it passes
    sed "$2" tests/lint/links.txt > "$copy/links.txt"
    if [ "$2" ]; then
        python3 tests/lint/links.py "$BUILD" "$copy/links.txt" 2> /dev/null && found=yes || found=no
    else
        python3 tests/lint/links.py "$BUILD" tests/lint/links.txt && found=yes || found=no
    fi
    check "$1" "$found" "$3"
}
links "what is linked" "" yes
links "an arrow that is not listed" "/^loop -> expr$/d" no
links "an arrow that is gone" '$a expr -> command' no
links "a circle that has grown" '/^circle:/s/ [^ ]*//' no
# Sentences of verifiers, readers, refusals and reasons: each stands in a test.
sentences() { # file, what it says besides, whether that passes
    cp "compiler/$1" "$copy/kept"
    echo "$2" >> "$copy/compiler/$1"
    python3 tests/lint/sentences.py "$copy/compiler" 2> /dev/null && found=yes || found=no
    check "$1 that says: $2" "$found" "$3"
    mv "$copy/kept" "$copy/compiler/$1"
}
sentences graph/graph_verify.c '' yes
sentences graph/graph_verify.c 'const char *said = "stage %s is one that no" " test has";' no
sentences graph/passes/fuse_stages.c 'decline(c, stage, 0, "it is a stage that no pass likes");' no
sentences hardware/refusals.def 'REFUSAL(COLOUR, "it is of another colour", "paint it")' no
# Rows of tables: 200 columns, of letters and not of bytes; one more; another line of 201.
row=$(printf '| %0194d ä |' 0)
page "$row" yes --tables
page "${row/0/00}" no --tables
page "${row/|/..}" yes --tables
echo "lint: $passed passed, $failed failed"
[ $failed -eq 0 ]
