#!/usr/bin/env bash
# The tarball of `make dist`, Debian's packages and the recipe for conda; one version in all of them. BUILD=folder of fltc.
cd "$(dirname "$0")/../.." || exit 1
. tests/install/functions.sh
export -n BUILD # other trees have one of their own
version=$(cat VERSION)
skip() { echo "SKIPPED packages: $1"; }
finish() {
    echo "packages: $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

# Where the version stands: in VERSION, which all take it from, and where changes are told.
expect "fltc's version" "fltc $version" "$("$BUILD/fltc" --version)"
expect "the newest section of CHANGELOG.md" "$version" "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)"
if /usr/bin/python3 -c 'import hatchling' 2> /dev/null; then
    succeed "wheel" env -C python /usr/bin/python3 -m hatchling build -t wheel -d "$scratch/wheel"
    expect "the wheel's version" "fltc-$version" "$(ls "$scratch/wheel" | cut -d- -f1-2)"
else
    skip "there is no hatchling (Debian: python3-hatchling)"
fi

# The recipe for conda: its script, in this build folder, and its tests.
recipe() { /usr/bin/python3 -B tests/packages/recipe.py packaging/conda "$@"; }
if /usr/bin/python3 -c 'import jinja2, yaml' 2> /dev/null; then
    expect "the recipe's version" "$version" "$(recipe package version)"
    script=$(recipe build script)
    succeed "the recipe's script" env CPU_COUNT=1 PREFIX="$prefix" bash -ec "${script/BUILD=build-conda/BUILD=\"$BUILD\"}"
    mkdir "$scratch/recipe"
    for files in $(recipe test source_files); do
        mkdir -p "$(dirname "$scratch/recipe/$files")"
        cp -r "$files" "$scratch/recipe/$files"
    done
    succeed "the recipe's tests" env -C "$scratch/recipe" PATH="$prefix/bin:$PATH" bash -ec "$(recipe test commands)"
else
    skip "there is no Jinja or YAML for Python (Debian: python3-jinja2, python3-yaml)"
fi

if [ ! -e .git ]; then
    expect "make dist without a repository" 1 "$(make dist 2>&1 | grep -c 'this folder is no clone')"
    skip "a tarball is made of a commit, and this folder has no .git"
    finish
fi
expect "files that repeat the version" "CHANGELOG.md VERSION" "$(git grep -lwF "$version" | sort | xargs)"

# The same bytes, made in two folders. They build without git, and without bison and flex until the grammar changes.
version=$(git show HEAD:VERSION)
tarball=$scratch/fltc-$version.tar.gz
succeed "make dist" make dist BUILD="$scratch"
succeed "a clone" git clone -q . "$scratch/clone"
succeed "make dist in another folder" bash -c "umask 077 && make -C '$scratch/clone' dist"
succeed "the same bytes in another folder" cmp "$tarball" "$scratch/clone/build/fltc-$version.tar.gz"
tar -xf "$tarball" -C "$scratch"
cd "$scratch/fltc-$version" || exit 1
expect "make dist without a repository" 1 "$(make dist 2>&1 | grep -c 'this folder is no clone')"
objects() { make BISON=false FLEX=false build/parser.tab.o build/lexer.yy.o build/compiler/frontend/parse.o; }
succeed "a parser without bison and flex" objects
touch grammar/parser.y
expect "bison is asked for a changed grammar" 1 "$(objects 2>&1 | grep -c 'bison grammar/parser.y')"
cd "$root" || exit 1

if ! command -v dpkg-buildpackage lintian dh pybuild > "$scratch/programs" || [ "$(wc -l < "$scratch/programs")" -ne 4 ]; then
    skip "Debian's packages need debhelper, lintian and pybuild-plugin-pyproject"
    finish
fi
# Debian's packages, unpacked. Each file is compiled with the flags for hardening.
succeed "make deb" env "DEB_BUILD_OPTIONS=nocheck noautodbgsym parallel=${JOBS:-$(nproc)}" \
    bash -c "make deb BUILD='$scratch' > '$scratch/deb.log' 2>&1 || { tail -n 40 '$scratch/deb.log'; exit 1; }"
expect "versions of Debian's packages" "$version-1" \
    "$(for file in "$scratch"/deb/*.deb; do dpkg-deb -f "$file" Version; done | sort -u)"
expect "Debian's packages" "fltc libfltc-dev libfltc0 libfltfft-dev libfltimage-dev libfltparticles-dev python3-fltc" \
    "$(for file in "$scratch"/deb/*.deb; do dpkg-deb -f "$file" Package; done | sort | xargs)"
succeed "lintian" env PATH=/usr/bin:/bin lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs \
    "$scratch"/deb/*.changes
compiled=$(grep -E ' -c -o build/[^ ]*\.o ' "$scratch/deb.log")
expect "files that are compiled without flags for hardening" "" \
    "$(grep -v -- '-D_FORTIFY_SOURCE=.*-fstack-protector-strong.*-Werror=format-security' <<< "$compiled")"
expect "compiled files of bison and flex" 2 "$(grep -cE ' build/(parser\.tab|lexer\.yy)\.c$' <<< "$compiled")"
unpacked=$scratch/unpacked
for file in "$scratch"/deb/*.deb; do dpkg-deb -x "$file" "$unpacked"; done
prefix=$unpacked/usr
expect "a program at any address" 1 "$(readelf -d "$prefix/bin/fltc" | grep -c 'Flags: NOW PIE')"
expect "tables that are read-only" 1 "$(readelf -lW "$prefix/bin/fltc" | grep -c GNU_RELRO)"
expect "a guarded stack, checked copies" "__memcpy_chk __stack_chk_fail" \
    "$(nm -D "$prefix/bin/fltc" | grep -oE '__(memcpy_chk|stack_chk_fail)' | sort | xargs)"

# What they have works: the compiler, an example, files for CMake, the library of image files, the module for Python.
expect "the packaged version" "fltc $version" "$("$prefix/bin/fltc" --version)"
printf 'P5\n2 2\n255\nabcd' > "$scratch/in.pgm"
example=$prefix/share/doc/fltc/examples/unsharp/unsharp.flt
succeed "a packaged example" "$prefix/bin/fltc" run "$example" "$scratch/in.pgm" -o "$scratch/out.pgm"
expect "the packaged module" "$version [98, 99]" "$(FLTC=$prefix/bin/fltc PYTHONPATH=$prefix/lib/python3/dist-packages \
    XDG_CACHE_HOME=$scratch/cache PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c '
import importlib.metadata, fltc, numpy
next = fltc.filter("filter next(in : image<i32>[x]) -> out : image<wrap<i32>>[x] { out[x] = wrap<i32>(in[x]) + 1; }")
print(importlib.metadata.version("fltc"), next(numpy.array([97, 98], numpy.int32)).tolist())' 2>&1)"
prepare_programs
succeed "CMake with the packages" cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
succeed "programs with the packages" cmake --build build
try_programs "packages" build
cd "$root" || exit 1
finish
