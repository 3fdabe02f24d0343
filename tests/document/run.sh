#!/usr/bin/env bash
# `fltc doc --all`: pages that are well-formed, whose links lead somewhere, with every item and every example
# of the library. BUILD=folder of fltc.
set -eu
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$BUILD/fltc" doc --all -o "$scratch"
exec /usr/bin/python3 -B tests/document/check.py "$scratch"
