# shellcheck shell=bash
# Functions of shell scripts that compare emitted text.

# emit_text FLTC OUT TARGET FILE [FILTER]: all files that are emitted, into the folder OUT; a circuit has 24 samples along each axis
# that it names. Fails, and leaves no folder, where the program is refused.
emit_text() {
    local fltc=$1 out=$2 target=$3 file=$4 sizes
    set -- "$file" --target "$target" ${5:+--filter "$5"} -o "$out/"
    mkdir -p "$out"
    "$fltc" emit "$@" 2> "$out.log" && return
    sizes=$(sed -n 's/.*give the number of samples along each axis: --size //p' "$out.log" | head -1)
    [ -n "$sizes" ] && "$fltc" emit "$@" --size "${sizes//.../24}" 2> "$out.log" && return
    rm -rf "$out"
    return 1
}
