#!/usr/bin/env bash
# Timings by hand: the compiler's own, and filters on a picture beside a plain copy. BUILD: the folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/compile/run.sh"
