#!/usr/bin/env bash
# libfltc, the compiler as a library: its calls (libfltc.c); files and messages as those of the command, byte for byte; the
# symbols that it has and those that it needs. BUILD=folder of libfltc.so.
cd "$(dirname "$0")/../.." || exit 1
. tests/install/functions.sh
counts=$("$BUILD/tests/libfltc/libfltc" test 2> "$scratch/log" | sed -n 's/^\[ *\(OK\|FAILED\) *\].*/\1/p' | sort | uniq -c | tr -s ' \n' ' ')
expect "calls: $(grep -A2 ERROR "$scratch/log" | head -5)" " 6 OK " "$counts"

# alike FILE TARGET FLAGS OPTION...: both write the same
alike() {
    local file=$1 target=$2 flags=$3 name
    shift 3
    name="$file $target $flags"
    rm -rf "$scratch"/{library,command}
    mkdir "$scratch"/{library,command}
    "$BUILD/tests/libfltc/libfltc" compile "$file" "$scratch/library" "$target" "$flags"
    "$BUILD/fltc" emit "$file" --target "$target" "$@" --no-extern -o "$scratch/command/" 2> "$scratch/command/messages.txt"
    "$BUILD/fltc" emit "$file" --target "$target" "$@" --no-extern --diagnostics json -o "$scratch/again/" 2> "$scratch/command/messages.json"
    expect "$name" "" "$(diff -r "$scratch/command" "$scratch/library" | head -5)"
}
for file in examples/{unsharp/unsharp,harris/harris,camera/camera,morphology/morphology}.flt; do
    alike "$file" c 0
    alike "$file" c 3 --interface --boxes
    alike "$file" cuda 1 --interface
    alike "$file" opencl 4 --fast
done
# Programs that are refused: messages, of which this is the whole text.
for file in tests/diagnostics/{E0201,E0401,E0303,E0110}*.flt; do alike "$file" c 0; done

library=$BUILD/libfltc.so.0
expect "symbols" "flt_compilation_free flt_compile flt_compiler_version" \
    "$(nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sed 's/@.*//' | sort | tr '\n' ' ' | sed 's/ $//')"
expect "what prints, ends the process or begins one" "" "$(nm -D --undefined-only "$library" | awk '{ print $2 }' | sed 's/@.*//' |
    grep -xE '_?exit|v?fork|exec.*|posix_spawn.*|system|popen|v?f?printf|f?puts|putc(har)?|fwrite|write|signal|sigaction|dlopen|getenv|setlocale|strtok|rand')"
expect "variables that calls share" "" "$(objdump -t "$library" |
    awk '($4 == ".data" || $4 == ".bss") && $3 == "O" && $6 !~ /^(completed\.0|__dso_handle|__TMC_END__)$/ { print $6 }')"
expect "libraries" "libc.so.6 libm.so.6" "$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ' | sed 's/ $//')"
echo "libfltc: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
