#!/usr/bin/env bash
# libFuzzer on texts, pictures and adaptive images, for a second each; SECONDS_EACH=N: for so many. The corpus begins with what the
# other fuzzers change, and stays in $BUILD/libfuzzer/corpus; what breaks a promise is kept in $BUILD/libfuzzer/found.
# BUILD=folder of fltc; in it `make libfuzzer` has made the targets. SHARE=K/N: the seed is K.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../../build}")
cd "$(dirname "$0")/../../.." || exit 1
home=$BUILD/libfuzzer share=${SHARE:-1/1} passed=0 failed=0
if [ ! -x "$home/tests/fuzz/libfuzzer/text" ]; then
    echo "SKIPPED libFuzzer: this clang has no library of it, or there is no clang"
    exit 0
fi
mkdir -p "$home"/{corpus/text,corpus/image,corpus/particles,found}
# Each is tried before any is changed: all of them only where there is time.
find examples tests/fuzz/regressions -name '*.flt' -size "-$((${SECONDS_EACH:-1} > 60 ? 4096 : 400))c" \
    -exec cp {} "$home/corpus/text/" \;
"$BUILD/tests/fuzz/mutate_image" --write "$home/corpus/image" || exit 1
"$BUILD/tests/fuzz/mutate_particles" --write "$home/corpus/particles" || exit 1
# Words of the language, which bytes alone would take long to find.
sed -nE 's/^(KEYWORD|SCALAR|FUNCTION|REDUCTION|BORDER_NAME|AXES_FUNCTION|TRANSFORM_FUNCTION)\([^"]*"([a-z0-9_]+)".*/"\2"/p' \
    grammar/keywords.def compiler/expr/*.def compiler/frontend/*.def > "$home/words"

fuzz() { # TARGET OPTION...: -timeout in seconds of the clock, far more than any input takes on a busy machine
    local name=$1
    if "$home/tests/fuzz/libfuzzer/$name" -max_total_time="${SECONDS_EACH:-1}" -seed="${share%/*}" -timeout=300 \
        -artifact_prefix="$home/found/$name-" "${@:2}" "$home/corpus/$name" > "$home/$name.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        tail -40 "$home/$name.log"
    fi
    grep -E '^Done [0-9]+ runs' "$home/$name.log" | sed "s/^/$name: /"
}
fuzz text -dict="$home/words" -max_len=4096
fuzz image -max_len=8192
fuzz particles -max_len=16384
echo "libFuzzer: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
