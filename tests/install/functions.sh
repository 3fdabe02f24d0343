# Of the tests of what `make install` installs: the folders, results, and an installation. BUILD=folder of fltc.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
BUILD=$(realpath "${BUILD:-build}")
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
passed=0 failed=0
expect() { # NAME EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        printf 'FAIL %s\nexpected: %s\nis:       %s\n' "$1" "$2" "$3" >&2
        failed=$((failed + 1))
    fi
}
succeed() { # NAME COMMAND...
    local name=$1
    shift
    local said
    said=$("$@" 2>&1) && said=''
    expect "$name" '' "$said"
}
install_to() { # TARGET PREFIX DESTDIR
    make --no-print-directory BUILD="$BUILD" PREFIX="$2" DESTDIR="$3" "$1"
}

# The example's programs in $scratch/embed, a picture and what `fltc run` makes of it.
prepare_programs() {
    cp -r examples/embed examples/unsharp examples/sample "$scratch"
    cd "$scratch/embed" || exit 1
    # shellcheck disable=SC2016
    good=$(sed -n 's/^prints `\([^`]*\)`.*/\1/p' README.md)
    { printf 'P5\n45 31\n255\n'; head -c 1395 /dev/zero; } > blank.pgm
    "$prefix/bin/fltc" run ../sample/sample.flt blank.pgm -o color.png
    "$prefix/bin/fltc" run ../unsharp/unsharp.flt color.png -o expected.png --amount 3
}
# They do what fltc run does.
try_programs() { # NAME FOLDER
    expect "$1: host" "$good" "$("$2/host" 2>&1)"
    succeed "$1: photo runs" "$2/photo" color.png out.png 3
    succeed "$1: photo" cmp expected.png out.png
    rm -f out.png
    expect "$1: photo without a file" "photo: cannot open none.png: No such file or directory, status 1" \
        "$("$2/photo" none.png out.png 3 2>&1 | tr -d '\n'; echo ", status ${PIPESTATUS[0]}")"
}
