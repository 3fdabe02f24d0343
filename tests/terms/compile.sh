#!/usr/bin/env bash
# compile.sh TARGET FOLDER FILE makes FOLDER/filter.so of FOLDER/FILE, as C++ whose values carry terms. EDIT: a sed script that goes over the
# text first. BUILD: the build folder, where terms.hpp is compiled once; without a folder this alone.
set -eu
here=$(dirname "$0") target=$1 folder=${2:-} build=${BUILD:-build}
flags=(-std=c++17 -O0 -w -fPIC -ffp-contract=off -fpermissive)
header=$build/tests/terms/terms_$target.hpp
[ "$target" != opencl ] || flags+=(-DTERMS_OF_OPENCL)
[ "$target" != cuda ] || flags+=(-DTERMS_OF_CUDA -I"$here/../simulator")
if [ ! -f "$header.gch" ] || [ -n "$(find "$here" "$here/../simulator" -name '*.h*' -newer "$header.gch")" ]; then
    mkdir -p "$build/tests/terms"
    echo "#include \"$(realpath "$here")/terms.hpp\"" > "$header"
    g++ "${flags[@]}" -x c++-header "$header" -o "$header.gch.$$"
    mv "$header.gch.$$" "$header.gch"
fi
[ -n "$folder" ] || exit 0
sed -E "${EDIT:-}" "$folder/$3" > "$folder/edited.c"
python3 "$here/rewrite.py" "$here" < "$folder/edited.c" > "$folder/filter.cpp"
g++ "${flags[@]}" -I"$folder" -Itests/externals -include "$header" -shared "$folder/filter.cpp" -o "$folder/filter.so"
