#!/usr/bin/env bash
# Rules on the sources: which folder may include which, words that belong to targets, the parser, columns.
# LINT_INCLUDES=1: the includes alone (tests/lint/run.sh plants wrong ones in a copy).
set -u
bad=0
complain() {
    echo "lint: $1" >&2
    bad=1
}
# Data flows one way: a folder may include what stands before it in this list, and itself.
forbid() { # folder, pattern of includes it may not have
    grep -rnE "#include \"($2)/" "compiler/$1" --include='*.[ch]' --include='*.def' &&
        complain "compiler/$1 may not include $2"
}
forbid support 'source|diagnostics|expr|frontend|graph|loop|analysis|hardware|interpret|emit|target|command|driver|document'
forbid elementary 'support|source|diagnostics|expr|frontend|graph|loop|analysis|hardware|interpret|emit|target|command|driver|document'
forbid source 'diagnostics|expr|frontend|graph|loop|analysis|hardware|interpret|emit|target|command|driver|document'
forbid diagnostics 'expr|frontend|graph|loop|analysis|hardware|interpret|emit|target|command|driver|document'
forbid expr 'frontend|graph|loop|analysis|hardware|interpret|emit|target|command|driver|document'
forbid analysis 'frontend|graph/[a-z]+|loop|hardware|interpret|emit|target|command|driver|document'
# Of the wings of the graph, the frontend knows recurrences.
forbid frontend 'graph/(passes|placement|segments|unbounded)|loop|hardware|interpret|emit|command|driver|document'
forbid document 'graph|loop|analysis|interpret|emit|target|command|driver'
forbid driver 'hardware|interpret|command'
forbid graph 'frontend|loop|hardware|interpret|emit|command|driver|document'
forbid loop 'frontend|graph/(passes|segments|unbounded)|hardware|interpret|emit|command|driver|document'
forbid hardware 'frontend|graph/(passes|segments|unbounded|placement)|loop|interpret|emit|command|driver|document'
forbid interpret 'frontend|graph/(placement|segments|unbounded)|emit|target|command|driver|document'
forbid emit 'analysis|frontend|graph|interpret|command|driver|document|loop/(passes|lower|lines)'
forbid target 'frontend|graph|loop|hardware|interpret|emit|command|driver|document'
# Wings of one folder: the IR knows none of them; passes are known to none.
ir() { # folder, its wings: files directly in the folder include none
    grep -nE "#include \"$1/($2)/" "compiler/$1"/*.[ch] && complain "compiler/$1/*.[ch] may not include its wings"
}
ir graph 'unbounded|segments|placement|passes' # the verifier asks how recurrences read themselves
ir loop 'lines|passes'
forbid graph/recurrence 'graph/(unbounded|segments|placement|passes)'
forbid graph/unbounded 'graph/(segments|placement|passes)'
forbid loop/lower 'loop/passes'
forbid loop/lines 'loop/passes'
forbid graph/placement 'graph/(unbounded|passes)'
forbid graph/segments 'graph/(unbounded|passes)'
# Headers at the top that the graph includes show it no loops either.
for header in $(grep -rhoE '#include "[a-z_]+\.h"' compiler/graph --include='*.[ch]' | sed 's/.*"\(.*\)"/\1/' | sort -u); do
    grep -nE '#include "(loop|emit|command|interpret)' "compiler/$header" 2> /dev/null &&
        complain "compiler/graph may not include loops by way of $header"
done
# Numbers that suit a machine are rows: one file draws them.
grep -rn 'random_choice' compiler --include='*.[ch]' | grep -v '^compiler/graph/placement/choose\.c:' &&
    complain "a pass draws numbers by itself: make them a row of graph/placement/choices.def"
grep -rnE '\b[A-Z_]*(THREADS|LANES|STRIP|SECTOR|WARP|BARRIER|REGISTERS|RUNS|PARTS|BLOCKS|CORES)[A-Z_]* = ([0-9]{2,}|[0-9]+ *(<<|\*))' \
    compiler/graph compiler/loop compiler/analysis --include='*.[ch]' &&
    complain "a pass has a number that suits a machine: make it a row of graph/placement/choices.def"
if [ "${LINT_INCLUDES:-}" ]; then
    exit $bad
fi
# C leaves open which operand comes first: what a call writes is not read in the same expression.
grep -nP '&(\w+)\)([^;]*\W)?\1\b|\b(\w+)\b[^;&]*[-+*/%][^;]*&\3\)' compiler/{elementary,transform}/texts/*.h &&
    complain "the value depends on the order in which operands are evaluated"
# Words of targets stay in target/ and where kernels are launched (and where the emitted C is compiled).
grep -rniE '\b(cuda|opencl|hls|verilog)\b' compiler --include='*.[ch]' |
    grep -vE '^compiler/(target/|emit/launch/)' && complain "words of targets outside target/ and emit/launch/"
# One file still prints them where there are threads: what the header says of them.
grep -rniE '\b_?openmp\b|\bomp\b|\bomp_[a-z]' compiler --include='*.[ch]' |
    grep -vE '^compiler/(target/|emit/launch/openmp/|emit/host/emit_header\.c:)' &&
    complain "OpenMP outside target/ and emit/launch/openmp/"
# Files that are named after what no one should have to remember.
find compiler runtime grammar tests tools examples stdlib -name '*.[ch]' -o -name '*.flt' |
    grep -E '(^|[/_])(new|old|tmp)[_.]' && complain "a file's name says 'new', 'old' or 'tmp'"
git ls-files 2> /dev/null | grep -vE '^[A-Za-z0-9_./+-]+$' && complain "a file's name has other characters than letters, digits and _ . - +"
parser=$(mktemp -d)
bison -Wall -Werror -d -o "$parser/parser.c" grammar/parser.y || complain "bison -Wall -Werror"
rm -rf "$parser"
# Each pass has a file of its name.
sed -n 's/^PASS(\([a-z_]*\),.*/\1/p' compiler/passes.def | while read -r pass; do
    ls compiler/*/passes/"$pass".c > /dev/null || echo missing
done | grep -q missing && complain "a pass has no file of its name"
# Pages for developers name files and folders that exist.
find . -name '*.md' -not -path './build/*' -not -path '*/explain/*' \( -path './compiler/*' -o -path './runtime/*' -o -name ARCHITECTURE.md \
    -o -name GLOSSARY.md -o -name CONTRIBUTING.md -o -path ./tests/README.md \) -print0 | xargs -0 bash tests/lint/pages.sh ||
    complain "a page names a file that does not exist"
# Rows of tables are short; the page on tests and the record of the fuzzers may have longer ones.
find . -name '*.md' -not -path './build/*' -print0 |
    xargs -0 bash tests/lint/pages.sh --tables || complain "a row of a table has more than 200 columns"
# 100 columns; drawings in comments, indented there, and lines that a macro goes on with may be longer.
find compiler runtime tests tools -name '*.[ch]' -not -path 'tests/golden/*' -not -path '*/elementary/texts/*' -exec \
    env LC_ALL=C.UTF-8 grep -nE '^.{101,}' {} + | grep -vE '^[^:]*:[0-9]+: \*  |\\$|^[^:]*:[0-9]+: \* A row of ' &&
    complain "lines of more than 100 columns"
[ $bad -eq 0 ] && echo "lint: 1 passed, 0 failed"
exit $bad
