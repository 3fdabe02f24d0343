#!/usr/bin/env bash
# What a user gets for a wrong command line or a damaged file. NAME.case is a few lines of shell, run in
# an empty folder with the inputs below; NAME.expected has standard error, the exit status of the last
# line, and the names of the files that are there afterwards and were not before: no temporary file may
# be among them.
# BUILD=folder of fltc. UPDATE=1 writes what is as what should be: read the difference.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
[ -x "$BUILD/fltc" ] || { echo "$BUILD/fltc is missing" >&2; exit 1; }
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NO_COLOR=1 LC_ALL=C PATH=$BUILD:$here/../unoptimized:$PATH
export XDG_CACHE_HOME=$work/cache
unset CC
passed=0 failed=0

make_inputs() {
    mkdir -p "$work/inputs" && cd "$work/inputs" || exit 1
    cp "$here"/../../examples/{blur/blur,unsharp/unsharp,sample/sample}.flt .
    { printf 'P5\n24 16\n255\n'; head -c 384 /dev/zero; } > blank.pgm
    fltc run sample.flt blank.pgm -o color.png || exit 1
    { printf 'P5\n24 16\n255\n'; head -c 384 unsharp.flt; } > gray.pgm
    { printf 'P5\n12 8\n65535\n'; head -c 192 unsharp.flt; } > deep.pgm
    fltc interpret blur.flt gray.pgm -o gray.png || exit 1
    cat > need.flt <<'FLT'
// A parameter without default, one of integers, one of truth.
filter need(in : image<u8>[y, x], param gain : f32 in 0 .. 8, param shift : i32 = 0 in -9 .. 9, param invert : bool = false)
    -> out : image<u8>[y, x]
{
    out[y, x] = u8(gain * in[y, x] + shift + select(invert, 1, 0));
}
FLT
    cat > add.flt <<'FLT'
filter add(a : image<u8>[y, x], b : image<u8>[y, x]) -> out : image<u8>[y, x]
{
    out[y, x] = u8(a[y, x] + b[y, x]);
}
FLT
    cat > two.flt <<'FLT'
filter first(in : image<u8>[y, x]) -> out : image<u8>[y, x] { out[y, x] = in[y, x]; }
filter second(in : image<u8>[y, x]) -> out : image<u8>[y, x] { out[y, x] = in[y, x]; }
FLT
    cat > float.flt <<'FLT'
filter float(in : image<f32>[y, x]) -> out : image<f32>[y, x] { out[y, x] = 0.5 * in[y, x]; }
FLT
    cat > halve.flt <<'FLT'
filter halve(in : image<T : integer | real>[y, x]) -> out : image<T>[y, x] { out[y, x] = T(in[y, x] / 2); }
FLT
    cat > slopes.flt <<'FLT'
filter slopes(in : image<f32>[y, x]) -> (gx : image<f32>[y, x], gy : image<f32>[y, x])
{
    border clamp;
    gx[y, x] = in[y, x + 1] - in[y, x - 1];
    gy[y, x] = in[y + 1, x] - in[y - 1, x];
}
FLT
    cat > levels.flt <<'FLT'
filter levels(p : image<f32>[y, x] each l in 0 ..< n, const n : i32 = 2) -> q : image<f32>[y, x] each l in 0 ..< n
{
    q[l in 0 ..< n] = 0.5 * p[l];
}
FLT
    cat > kinds.flt <<'FLT'
filter kinds(in : image<f32>[y, x], param kind : {none, soft, hard} = none, const mode : {a, b} = a) -> out : image<f32>[y, x]
{
    out[y, x] = select(kind == hard && mode != b, 1 - in[y, x], in[y, x]);
}
FLT
    cat > luma.flt <<'FLT'
filter luma(in : image<u8>[y, x, c]) -> out : image<u8>[y, x]
{
    require in.c == 3 "the picture has three channels";
    out[y, x] = u8((in[y, x, 0] + in[y, x, 1] + in[y, x, 2]) / 3);
}
FLT
    cat > shown.flt <<'FLT'
filter turn(in : image<T>[y, x]) -> out : image<T>[y, x] { out = flip(transpose(in), [x]); }
example "a quarter to the right" {
    const a[y in 0 ..< 2, x in 0 ..< 3] = {1, 2, 3;  4, 5, 6};
    const b[y in 0 ..< 3, x in 0 ..< 2] = {4, 1;  5, 2;  6, 3};
    require turn(a) == b;
    require turn(turn(turn(turn(a)))) == a;
}
example {
    r[y in 0 ..< 2] = 10 * y;
    s = stack([r, rename(flip(r), y = y), 7], c);
    require s.c == 3 && s[1, 0] == 10 && s[1, 1] == 0 && s[1, 2] == 7;
}
FLT
    cat > swing.flt <<'FLT'
filter swing(in : image<f32>[y, x]) -> out : image<c32>[y, x] { out[y, x] = c32(in[y, x], -1) * c32(0, 1); }
FLT
    cat > back.flt <<'FLT'
filter back(in : image<c32>[y, x]) -> out : image<f32>[y, x] { out[y, x] = re(in[y, x] * conj(in[y, x])) + im(in[y, x]); }
FLT
    mkdir headers
    cat > headers/gain.h <<'C'
#include <stdint.h>
float gain(float v, int32_t n);
static inline uint8_t inverse(uint8_t v) { return (uint8_t)(255 - v); }
C
    cat > headers/gain.c <<'C'
#include "gain.h"
float gain(float v, int32_t n) { return v * 0.7f + (float)n * v * v; }
C
    cat > called.flt <<'FLT'
extern fn gain(f32, i32) -> f32 from "gain.h";
extern fn inverse(u8) -> u8 from "gain.h";
filter called(in : image<u8>[y, x], param n : i32 = 2 in 0 .. 9) -> out : image<f32>[y, x]
{
    a = inverse(in);
    border clamp;
    out[y, x] = gain(a[y, x - 1], n) + 0.3 * gain(in[y, x], y) * inverse(in[y + 1, x]);
}
FLT
    cat > volume.flt <<'FLT'
filter volume(in : image<u8>[z, y, x]) -> out : image<u8>[z, y, x] { out[z, y, x] = in[z, y, x]; }
FLT
    cat > slow.flt <<'FLT'
filter slow(in : image<u8>[y, x]) -> out : image<u8>[y, x]
{
    border clamp;
    out[y, x] = u8(sum[j in -40 .. 40, i in -40 .. 40](in[y + j, x + i]) / 6561);
}
FLT
    # A PNG whose header promises 2^31 - 1 rows and columns.
    printf '\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x02\x00\x00\x00\x9b\xab\x9c\x31\x00\x00\x00\x00\x49\x44\x41\x54\x35\xaf\x06\x1e' > huge.png
}

run_one() { # NAME
    local name=$1 status
    rm -rf "$work/case" "$work/temporary"
    case $name in cache_*) rm -rf "$work/cache" ;; esac # the others share what was compiled
    cp -r "$work/inputs" "$work/case"
    mkdir "$work/temporary"
    (cd "$work/case" && TMPDIR=$work/temporary bash -u "$here/$name.case") 2> "$work/stderr" > "$work/stdout" < /dev/null
    status=$?
    { cat "$work/stderr"
      [ -s "$work/stdout" ] && { echo "standard output:"; cat "$work/stdout"; }
      echo "exit status: $status"
      diff <(cd "$work/inputs" && find . | sort) <(cd "$work/case" && find . | sort) | sed -n 's/^> ../file: /p; s/^< ../removed: /p'
      (cd "$work/temporary" && find . -mindepth 1 | sed 's/^../temporary file: /'); } > "$work/actual"
    if cmp -s "$name.expected" "$work/actual"; then
        passed=$((passed + 1))
    elif [ -n "${UPDATE:-}" ]; then
        cp "$work/actual" "$name.expected"
        passed=$((passed + 1))
    else
        echo "FAIL $name" >&2
        diff -u "$name.expected" "$work/actual" >&2
        failed=$((failed + 1))
    fi
}

(make_inputs) || exit 1
for file in *.case; do
    run_one "${file%.case}"
done
for file in *.expected; do
    [ -f "${file%.expected}.case" ] || { echo "FAIL $file: of no case" >&2; failed=$((failed + 1)); }
done
echo "command: $passed passed, $failed failed"
[ $failed -eq 0 ]
