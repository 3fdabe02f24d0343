#!/usr/bin/env bash
# The commands of every README of examples/, as they stand there, with the picture that they make: it is the one
# that lies there, sample for sample. BUILD=folder of fltc. UPDATE=1 writes what is as what should be.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/doc"
cp -r examples "$scratch"
cp -r doc/tutorial "$scratch/doc"
passed=0 failed=0
complain() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}
for folder in examples/*/; do
    name=$(basename "$folder")
    [ "$name" = embed ] && continue # a program in C: tests/embed
    if [ ! -f "$folder/README.md" ]; then
        complain "$name: no README.md"
        continue
    fi
    picture=$(sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$folder/README.md")
    rm -f "$scratch/$folder$picture"
    sed -n 's/^    //p' "$folder/README.md" > "$scratch/commands"
    if ! log=$(cd "$scratch/$folder" && PATH=$BUILD:$PATH LC_ALL=C sh -e "$scratch/commands" 2>&1) || [ -n "$log" ]; then
        complain "$name: $log"
    elif [ -n "${UPDATE:-}" ]; then
        cp "$scratch/$folder$picture" "$folder$picture"
        passed=$((passed + 1))
    elif cmp -s "$scratch/$folder$picture" "$folder$picture"; then
        passed=$((passed + 1))
    else
        complain "$name: $picture differs from the one that the commands make"
    fi
done
for file in examples/*/*.flt; do
    if "$BUILD/fltc" format "$file" | cmp -s - "$file"; then
        passed=$((passed + 1))
    else
        complain "$file: not in standard layout"
    fi
done
echo "examples: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
