#!/usr/bin/env bash
# Rules on the sources: which folder may include which, words that belong to targets, the parser.
set -u
bad=0
complain() {
    echo "lint: $1" >&2
    bad=1
}
# Data flows one way: a folder may include what stands before it in this list, and itself.
forbid() { # folder, pattern of includes it may not have
    grep -rnE "#include \"($2)/" "compiler/$1" --include='*.[ch]' &&
        complain "compiler/$1 may not include $2"
}
forbid support 'source|diagnostics|expr|frontend|graph|loop|analysis|interpret|emit|target|command'
forbid elementary 'support|source|diagnostics|expr|frontend|graph|loop|analysis|interpret|emit|target|command'
forbid source 'diagnostics|expr|frontend|graph|loop|analysis|interpret|emit|target|command'
forbid diagnostics 'expr|frontend|graph|loop|analysis|interpret|emit|target|command'
forbid expr 'frontend|graph|loop|analysis|interpret|emit|target|command'
forbid analysis 'frontend|graph|loop|interpret|emit|target|command'
forbid frontend 'loop|interpret|emit|command'
forbid document 'graph|loop|analysis|interpret|emit|target|command'
forbid graph 'frontend|loop|interpret|emit|command'
forbid loop 'frontend|interpret|emit|command'
forbid interpret 'frontend|emit|target|command'
forbid emit 'frontend|interpret|command|graph/passes|loop/passes'
# By way of the top-level headers neither: a graph pass sees no loops.
for header in $(grep -rhoE '#include "[a-z_]+\.h"' compiler/graph | sed 's/.*"\(.*\)"/\1/' | sort -u); do
    grep -nE '#include "(loop|emit|command|interpret)' "compiler/$header" 2> /dev/null &&
        complain "compiler/graph may not include loops by $header"
done
# Words of targets stay in target/ and the dialects (and where the emitted C is compiled).
grep -rniE '\b(cuda|opencl|hls)\b' compiler --include='*.c' --include='*.h' |
    grep -vE '^compiler/(target/|emit/dialect_)' && complain "words of targets outside target/ and dialects"
grep -rniE '\bopenmp\b' compiler --include='*.c' --include='*.h' |
    grep -vE '^compiler/(target/|emit/)' && complain "OpenMP outside target/ and emit/"
# C leaves open which operand comes first: what a call writes is not read in the same expression.
grep -nP '&(\w+)\)([^;]*\W)?\1\b|\b(\w+)\b[^;&]*[-+*/%][^;]*&\3\)' compiler/elementary/texts/*.h &&
    complain "the value depends on the order in which operands are evaluated"
# Files that are named after what no one should have to remember.
find compiler runtime grammar tests examples stdlib -name '*.[ch]' -o -name '*.flt' |
    grep -E '(^|[/_])(new|old|tmp)[_.]' && complain "a file's name says 'new', 'old' or 'tmp'"
parser=$(mktemp -d)
bison -Wall -Werror -d -o "$parser/parser.c" grammar/parser.y || complain "bison -Wall -Werror"
rm -rf "$parser"
# Each pass has a file of its name.
sed -n 's/^PASS(\([a-z_]*\),.*/\1/p' compiler/passes.def | while read -r pass; do
    ls compiler/*/passes/"$pass".c > /dev/null || echo missing
done | grep -q missing && complain "a pass has no file of its name"
[ $bad -eq 0 ] && echo "lint: 1 passed, 0 failed"
exit $bad
