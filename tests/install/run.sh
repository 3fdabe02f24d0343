#!/usr/bin/env bash
# `make install`: a list of files, a program through pkg-config, the manual page, syntax files. BUILD=folder of fltc.
cd "$(dirname "$0")/../.." || exit 1
. tests/install/functions.sh

# Staged: everything under DESTDIR, and the files say where they will be.
stage="$scratch/a stage"
succeed "staged install" install_to install /usr "$stage"
expect "prefix of a staged install" "prefix=/usr" "$(head -n 1 "$stage/usr/lib/pkgconfig/fltc.pc")"
expect "files of a staged install" "$(sort tests/install/files.expected)" "$(cd "$stage" && find . ! -type d | sort)"
succeed "uninstall" install_to uninstall /usr "$stage"
expect "what uninstall leaves" "" "$(cd "$stage" && find . ! -type d)"

succeed "install" install_to install "$prefix" ""
version=$("$prefix/bin/fltc" --version)
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
expect "pkg-config's version" "$version" "fltc $(pkg-config --modversion fltc)"
expect "pkg-config's compiler" "$prefix/bin/fltc" "$(pkg-config --variable=compiler fltc)"

# The compiler as a library.
cat > "$scratch/compile.c" << 'C'
#include "flt/compiler.h"
#include <stdio.h>
int main(int count, char **word)
{
    struct flt_request request = {sizeof request};
    request.path = word[count - 1];
    struct flt_compilation made = flt_compile(&request);
    printf("%s %d %s\n", flt_compiler_version(), made.status, made.file_count ? made.file[0].name : "");
    flt_compilation_free(&made);
    return 0;
}
C
for compiler in gcc "g++ -x c++"; do
    # shellcheck disable=SC2046,SC2086
    succeed "a program with libfltc, $compiler" $compiler -Wall -Wextra -Werror -Wno-missing-field-initializers "$scratch/compile.c" \
        $(pkg-config --cflags --libs libfltc) "-Wl,-rpath,$prefix/lib" -o "$scratch/compile"
    expect "libfltc, $compiler" "${version#fltc } 0 unsharp.c" "$("$scratch/compile" examples/unsharp/unsharp.flt)"
done

prepare_programs
succeed "Makefile" make
try_programs "Makefile" .
succeed "nothing to do" make -q
touch ../unsharp/unsharp.flt
expect "a changed filter" "1" "$(make -q; echo $?)"
make -s clean

cd "$root" || exit 1

# The manual page: no complaint of the formatter, every command and every option.
page=$prefix/share/man/man1/fltc.1
expect "groff" "" "$(groff -man -ww -z "$page" 2>&1)"
shown=$(groff -man -Tascii -P-cbou -rLL=200n "$page")
while read -r command; do
    expect "manual page: $command" "yes" "$(grep -q "fltc $command " <<< "$shown" && echo yes)"
done < <(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' compiler/command/commands.def)
while read -r option; do
    expect "manual page: --$option" "yes" "$(grep -q -- "--$option\b" <<< "$shown" && echo yes)"
done < <(sed -n 's/^OPTION[A-Z_]*([a-z_]*, "\([a-z-]*\)".*/\1/p' compiler/command/options.def)
expect "manual page: exit statuses" "0 1 2 3" "$(sed -n '/^EXIT STATUS/,/^ENVIRONMENT/s/^ *\([0-9]\) .*/\1/p' <<< "$shown" | xargs)"

syntax=$(/usr/bin/python3 -B tests/install/syntax.py "$prefix" 2>&1)
expect "syntax files" "all words are found" "$syntax"
echo "install: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
