#!/usr/bin/env bash
# What a circuit takes of a device: each program of this folder at the size of its line `// AREA: y=1024,x=1024` (`x=1024:4`: `--pixels 4`),
# by yosys for Xilinx devices of series 7, beside the estimate of its report. LUTs and registers may differ by
# 25 %, or 20 where there are few; blocks of memory and multipliers are the same. `LUT 160 RAMB18 1` behind the
# size: yosys takes no more.
# BUILD=folder of fltc. SHARE=K/N: every Nth program, from the Kth on. VERBOSE=1: both counts of each program.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}
command -v yosys > /dev/null || {
    echo "SKIPPED tests/circuit/area.sh: there is no yosys" >&2
    exit 0
}

# A RAM32M has four LUTs, a RAMB36 two blocks of 18 bits; an inverter is a LUT, and so is a shift register.
synthesized() { # STATISTICS
    awk 'NF != 2 || $2 !~ /^[0-9]+$/ { next }
        $1 ~ /^(LUT[1-6]|INV|SRL.*)$/ { lut += $2 }
        $1 ~ /^RAM(32M|64M|128X1D|256X1S)$/ { lut += 4 * $2 }
        $1 ~ /^RAM(32|64)X1D$/ { lut += 2 * $2 }
        $1 ~ /^FD/ { ff += $2 }
        $1 == "RAMB18E1" { ram += $2 }
        $1 == "RAMB36E1" { ram += 2 * $2 }
        $1 == "DSP48E1" { dsp += $2 }
        END { print lut + 0, ff + 0, ram + 0, dsp + 0 }' "$1"
}

estimated() { # REPORT
    sed -n 's/.*"total": {"luts": \([0-9]*\), "registers": \([0-9]*\), "blocks": \([0-9]*\), "multipliers": \([0-9]*\).*/\1 \2 \3 \4/p' "$1"
}

close_enough() { # TOLD COUNTED
    local off=$(($1 - $2))
    [ ${off#-} -le 20 ] || [ $((100 * ${off#-})) -le $((25 * $2)) ]
}

run_one() { # FILE SIZE WORD LIMIT …
    local name folder said counted told pixels=()
    name=$(basename "$1" .flt) folder=$scratch/$name
    [ "${2#*:}" != "$2" ] && pixels=(--pixels "${2#*:}")
    "$BUILD/fltc" emit "$1" --target verilog --size "${2%:*}" "${pixels[@]}" -o "$folder/" || {
        fail "$name: not emitted"
        return
    }
    said=$(make -s -C "$folder" area 2>&1) || {
        fail "$name: not synthesized"
        echo "$said" | tail -5 >&2
        return
    }
    counted=$(synthesized "$folder"/*_area.txt) told=$(estimated "$folder"/*_report.json)
    [ "${VERBOSE:-}" ] && echo "$name at $2: estimate $told, yosys $counted"
    set -- "$@" end
    local words=("${@:3}")
    set -- $told $counted
    if close_enough "$1" "$5"; then pass; else fail "$name: $1 LUTs told, $5 counted"; fi
    if close_enough "$2" "$6"; then pass; else fail "$name: $2 registers told, $6 counted"; fi
    if [ "$3 $4" = "$7 $8" ]; then pass; else fail "$name: $3 blocks, $4 multipliers told, $7, $8 counted"; fi
    set -- "${words[@]}" "$5" "$7"
    local lut=${*: -2:1} ram=${*: -1}
    while [ "$1" != end ]; do
        case $1 in
        LUT) if [ "$lut" -le "$2" ]; then pass; else fail "$name: $lut LUTs, $2 are allowed"; fi ;;
        RAMB18) if [ "$ram" -le "$2" ]; then pass; else fail "$name: $ram blocks, $2 are allowed"; fi ;;
        esac
        shift 2
    done
}

for file in *.flt; do
    line=$(sed -n 's,^// AREA: ,,p' "$file")
    [ "$line" ] && echo "$file $line"
done > "$scratch/list"
# Half a minute of yosys: hundred processes, lanes, tables, FIFOs of twelve lines.
echo "../../examples/local_laplacian_fpga/local_laplacian_fpga.flt y=1024,x=1024 LUT 6300 RAMB18 103" >> "$scratch/list"
# With more shares than programs, some shares have the same program.
share=${SHARE:-1/1} count=$(wc -l < "$scratch/list")
shares=$((${share#*/} < count ? ${share#*/} : count))
while read -r -a words; do run_one "${words[@]}" < /dev/null; done < <(
    awk -v shares="$shares" -v share="${share%/*}" '(NR - share) % shares == 0' "$scratch/list")
echo "circuit area: $passed passed, $failed failed"
[ $failed -eq 0 ]
