#!/usr/bin/env bash
# Every block of doc/TUTORIAL.md: programs are the files of doc/tutorial, commands say what stands below them
# and make the pictures that are shown. BUILD=folder of fltc. UPDATE=1 writes what is as what should be.
set -eu
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.."
export PATH=$BUILD:$PATH LC_ALL=C NO_COLOR=1
exec /usr/bin/python3 -B tests/tutorial/run.py
