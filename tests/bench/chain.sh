#!/usr/bin/env bash
# chain.sh N: a program of N stages, each a stencil over the one before.
n=$1
echo "// $n stages, each a stencil over the one before."
echo "filter chain(in : image<f32>[y, x]) -> out : image<f32>[y, x]"
echo "{"
echo "    border clamp;"
previous=in
for ((i = 1; i < n; i++)); do
    echo "    s$i[y, x] = 0.25 * $previous[y, x - 1] + 0.5 * $previous[y, x] + 0.25 * $previous[y + 1, x + 1];"
    previous=s$i
done
echo "    out[y, x] = $previous[y, x];"
echo "}"
