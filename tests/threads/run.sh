#!/usr/bin/env bash
# threads.c against emitted code: its own threads, OpenMP's, none; under AddressSanitizer, UndefinedBehaviorSanitizer and
# ThreadSanitizer. BUILD=folder of fltc. SHARE=K/N: every Nth of these ways, from the Kth on.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0 n=0 share=${SHARE:-1/1}
"$BUILD/fltc" emit several.flt -o "$scratch/" || exit 1
warnings="-std=gnu11 -D_GNU_SOURCE -g -Wall -Wextra -Wshadow -Werror -I$scratch"
# shellcheck disable=SC2086
gcc $warnings -O2 -fopenmp -shared -fPIC library.c "$scratch/several.c" -o "$scratch/library.so" -lm || bad=1
for way in "gcc -O2 -fopenmp" "clang -O1 -fopenmp" "gcc -O1 -fopenmp -DFLT_OPENMP_TEAMS" "gcc -O1" \
    "gcc -O1 -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=undefined" "gcc -O1 -fopenmp -fsanitize=thread"; do
    n=$((n + 1))
    [ $((n % ${share#*/})) -eq $((${share%/*} % ${share#*/})) ] || continue
    library=$scratch/library.so
    case $way in *sanitize* | *TEAMS*) library= ;; esac # OpenMP's threads do not survive fork
    # shellcheck disable=SC2086
    $way $warnings threads.c "$scratch/several.c" -lm -lpthread -ldl -o "$scratch/threads" &&
        "$scratch/threads" $library || {
        echo "FAIL threads: $way" >&2
        bad=1
    }
done
exit $bad
