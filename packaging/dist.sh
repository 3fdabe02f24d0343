#!/usr/bin/env bash
# dist.sh FOLDER: the last commit as FOLDER/fltc-VERSION.tar.gz, with what bison and flex make of the grammar, and with Debian's
# changelog and copyright, made of VERSION and LICENSE. The same commit makes the same bytes with the same programs, at any time.
set -euo pipefail
export LC_ALL=C
if [ ! -e .git ]; then
    echo "make dist: a tarball is made of a commit, and this folder is no clone of the repository" >&2
    exit 1
fi
git diff --quiet HEAD || echo "make dist: changes that are not committed are left out" >&2
mkdir -p "$1"
version=$(git show HEAD:VERSION)
tarball=$(realpath "$1")/fltc-$version.tar.gz
time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git archive --prefix="fltc-$version/" HEAD | tar -x -C "$scratch"
cd "$scratch/fltc-$version"
env -u MAKEFLAGS -u MAKELEVEL make -s BUILD=grammar/generated grammar/generated/parser.tab.c grammar/generated/lexer.yy.c >&2
rm grammar/generated/needs
holder=$(sed -n 's/^Copyright (c) //p' LICENSE)
for file in changelog copyright; do
    sed -e "s/@VERSION@/$version/" -e "s/@DATE@/$(date -u -R -d "@$time")/" -e "s/@HOLDER@/$holder/" \
        "packaging/debian/$file.in" > "packaging/debian/$file"
    rm "packaging/debian/$file.in"
done
sed -n '/^Permission/,$ { s/^$/./; s/^/ /; p }' LICENSE >> packaging/debian/copyright
tar -c -C "$scratch" --format=gnu --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    "fltc-$version" | gzip -9 -n > "$tarball.part"
mv "$tarball.part" "$tarball"
echo "$tarball"
