#!/usr/bin/env bash
# What circuits of the local Laplacian filter take, by number of curves, copies beside each other (a channel
# each) and clock: a table of milliseconds for a frame, LUTs, registers, blocks of memory (RAMB18) and
# multipliers, from the reports that fltc writes. Clocks are exact, the rest is an estimate.
# FLTC: the command; SIZE: extents, y=1024,x=1024 without it.
set -eu
cd "$(dirname "$0")"
fltc=${FLTC:-fltc} size=${SIZE:-y=1024,x=1024}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "| curves | copies | MHz | ms a frame | LUT | FF | RAMB18 | DSP |"
echo "|---|---|---|---|---|---|---|---|"
for curves in 8 16 32; do
    "$fltc" emit local_laplacian_fpga.flt --target verilog --size "$size" --samples $curves --clock 100 -o "$scratch/"
    report=$scratch/local_laplacian_fpga_report.json
    last=$(sed -n 's/.*"milliseconds": .*"last": \([0-9.]*\).*/\1/p' "$report")
    total() { sed -n "s/.*\"total\": .*\"$1\": \([0-9]*\).*/\1/p" "$report"; }
    for clock in 100 200; do
        milliseconds=$(LC_ALL=C awk "BEGIN { printf \"%.2f\", $last * 100 / $clock }")
        for copies in 1 3; do
            echo "| $curves | $copies | $clock | $milliseconds | $((copies * $(total luts))) |" \
                "$((copies * $(total registers))) | $((copies * $(total blocks))) |" \
                "$((copies * $(total multipliers))) |"
        done
    done
done
