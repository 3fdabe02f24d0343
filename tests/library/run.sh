#!/usr/bin/env bash
# The standard library against SciPy and OpenCV, and its properties. BUILD: the build folder.
set -eu
cd "$(dirname "$0")"
BUILD=$(realpath "${BUILD:-../../build}")
export BUILD
# Debian's own interpreter: the packages are installed for it.
exec /usr/bin/python3 -B run.py "$@"
