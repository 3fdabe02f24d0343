#!/usr/bin/env bash
# Circuits: each program of this folder for the sizes that its first line names, `// SIZES: y=9,x=7 …`;
# `y=9,x=12:4`: four samples of a line a clock. Its
# Verilog runs in Verilator against the C of the same filter, with streams that never wait and such that wait
# at random; every sample, every mark, and the clocks that fltc told must be right, and no FIFO fuller than it
# is deep. Verilator and Icarus Verilog must have nothing to say of the text.
# BUILD=folder of fltc. SHARE=K/N: every Nth program, from the Kth on; what belongs to no program is in the last share. FULL=1, the
# long tests: more broken frames and area.sh instead. JOBS: so many at once.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
fltc=$BUILD/fltc
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}
pixels() { # SIZE
    case $1 in *:*) echo "--pixels ${1#*:}" ;; esac
}

run_one() { # FILE SIZE
    local name folder=$scratch/${1%.flt}_$2
    name="$1 at $2"
    mkdir "$folder"
    # shellcheck disable=SC2086
    if ! "$fltc" emit "$1" --target verilog --size "${2%:*}" $(pixels "$2") --verify-each -o "$folder/" 2> "$folder/said"; then
        fail "$name: not emitted"
        cat "$folder/said" >&2
        return
    fi
    if make -s -C "$folder" rtl-sim > "$folder/said" 2>&1; then pass; else
        fail "$name: the simulation differs"
        tail -30 "$folder/said" >&2
    fi
    if awk '$1 == "FIFO" && $3 > $5 { exit 1 }' "$folder/said"; then pass; else fail "$name: a FIFO overflows"; fi
    if make -s -C "$folder" lint > "$folder/said" 2>&1; then pass; else
        fail "$name: the Verilog has faults"
        head -20 "$folder/said" >&2
    fi
}
if [ "${1:-}" = one ]; then
    run_one "$2" "$3"
    echo "$passed $failed"
    exit
fi

for tool in verilator iverilog; do
    command -v $tool > /dev/null || {
        echo "SKIPPED tests/circuit: there is no $tool" >&2
        exit 0
    }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export scratch OBJCACHE="bash $PWD/keep_object.sh" KEPT=$scratch/kept
share=${SHARE:-1/1} n=0
is_of_share() {
    n=$((n + 1))
    [ $((n % ${share#*/})) = $((${share%/*} % ${share#*/})) ]
}

. ./frames.sh
if [ "${FULL:-}" ]; then
    check_more_frames
    echo "circuit frames: $passed passed, $failed failed"
    bash area.sh && [ $failed -eq 0 ]
    exit
fi
for file in *.flt; do
    for size in $(sed -n '1s,^// SIZES: ,,p' "$file"); do
        is_of_share && echo "$file $size"
    done
done > "$scratch/list"
xargs -r -P "${JOBS:-$(nproc)}" -L 1 bash run.sh one < "$scratch/list" > "$scratch/results"
passed=$(awk '{ n += $1 } END { print n + 0 }' "$scratch/results")
failed=$(awk '{ n += $2 } END { print n + 0 }' "$scratch/results")
[ "$(wc -l < "$scratch/list")" -eq "$(wc -l < "$scratch/results")" ] || fail "some programs ended early"

# Parameters and tables as registers: axi.v and axi_tables.v write them while frames pass; faults planted in the wrapper must show.
run_axi() { # TEST FILTER NAME EDIT WANTED
    local test=$1 filter=$2
    shift 2
    sed "$2" "$scratch/axi/$filter.v" > "$scratch/axi/edited.v"
    # shellcheck disable=SC2046
    if iverilog -g2001 -Wall $(axi_addresses "$scratch/axi/$filter.v") -s axi_test -o "$scratch/axi/test" "$test" "$scratch/axi/edited.v" > "$scratch/axi/said" 2>&1 &&
        [ ! -s "$scratch/axi/said" ] && vvp "$scratch/axi/test" > "$scratch/axi/said" &&
        grep -q "$3" "$scratch/axi/said"; then pass; else
        fail "axi, $1"
        cat "$scratch/axi/said" >&2
    fi
}
# -DCURVE=1024 of table curve: where the text says that it is.
axi_addresses() { # FILE
    sed -n 's,.*wire t_\(.*\)_write = .* // at \([0-9]*\)$,\1 \2,p' "$1" | while read -r table at; do
        echo "-D$(echo "$table" | tr a-z A-Z)=$at"
    done
}
emit_axi() { # FILTER SIZE
    "$fltc" emit "$1.flt" --target verilog --size "$2" -o "$scratch/axi/" 2> /dev/null
    if verilator --lint-only -Wall -Wno-DECLFILENAME -Wno-UNUSED --top-module "$1_axi" "$scratch/axi/$1.v" 2> "$scratch/axi/said"; then pass; else
        fail "axi, lint of $1"
        cat "$scratch/axi/said" >&2
    fi
}
# Constraints name the clock, which also says how the circuit is cut into registers, wherever it is given.
check_clocks() {
    local folder=$scratch/clocks
    mkdir "$folder"
    { cat blur.flt && echo 'schedule blur for verilog { clock 200; }'; } > "$folder/fast.flt"
    "$fltc" emit blur.flt --target verilog --size y=9,x=12 -o "$folder/usual/"
    "$fltc" emit blur.flt --target verilog --size y=9,x=12 --clock 200 -o "$folder/asked/"
    "$fltc" emit "$folder/fast.flt" --target verilog --size y=9,x=12 -o "$folder/said/"
    if grep -qx 'create_clock -period 10 -name aclk \[get_ports aclk\]' "$folder/usual/blur.xdc" &&
        grep -qx 'create_clock -period 5 -name aclk \[get_ports aclk\]' "$folder/asked/blur.xdc" &&
        grep -qx 'create_clock -period 5 -name aclk \[get_ports aclk\]' "$folder/said/blur.xdc"
    then pass; else fail "clocks of constraints"; fi
    if cmp -s <(tail -n +3 "$folder/asked/blur.v") <(tail -n +3 "$folder/said/blur.v") &&
        ! cmp -s <(tail -n +3 "$folder/asked/blur.v") <(tail -n +3 "$folder/usual/blur.v")
    then pass; else fail "--clock and clock of a schedule: not the same circuit"; fi
}
# The Verilog of the page on circuits: a source without marks, whose tokens it counts, before an instance of blur. Frames of sevens
# stay so, marks come out where the counter puts them, and a counter that is wrong is an error. The page's frame, made small.
write_page_bench() { # FOLDER SED
    {
        cat << 'END'
module page;
    reg clk = 0, reset = 1;
    always #5 clk = ~clk;
    reg v = 0;
    wire [7:0] d = 7;
    wire [7:0] od;
    wire r, sof, eol, ov, ol, ou, error;
    wire or_ = 1;
    integer n = 0, wrong = 0;
END
        awk '/^```verilog$/ { inside = 1; next } /^```$/ { inside = 0 } inside' ../../doc/CIRCUITS.md |
            sed 's/1919/15/; s/1079/7/; s/\[10:0\]/[3:0]/' | sed "$2"
        cat << 'END'
    always @(posedge clk) begin
        v <= (v & ~r) | $random;
        if (error) wrong = wrong + 1;
    end
    always @(negedge clk)
        if (~reset & ov) begin
            if (od !== 7 | ol !== (n % 16 == 15) | ou !== (n % 128 == 0)) wrong = wrong + 1;
            n = n + 1;
        end
    initial begin
        repeat (4) @(negedge clk);
        reset = 0;
        wait (n == 4 * 128);
        $display("%0d wrong", wrong);
        $finish;
    end
endmodule
END
    } > "$1/page.v"
    iverilog -g2001 -Wall -Wno-timescale -s page -o "$1/page" "$1/page.v" "$1/blur.v" > "$1/said" 2>&1 &&
        [ ! -s "$1/said" ] && vvp "$1/page" >> "$1/said"
}
check_page() {
    local folder=$scratch/page
    "$fltc" emit blur.flt --target verilog --size y=8,x=16 -o "$folder/"
    if write_page_bench "$folder" '' && grep -qx '0 wrong' "$folder/said"; then pass; else
        fail "the Verilog of doc/CIRCUITS.md"
        cat "$folder/said" >&2
    fi
    if write_page_bench "$folder" 's/x == 15/x == 14/' && ! grep -qx '0 wrong' "$folder/said"; then pass; else
        fail "the Verilog of doc/CIRCUITS.md: a counter that is wrong is not noticed"
    fi
}
if [ "${share%/*}" -eq "${share#*/}" ]; then
    check_clocks
    check_page
    check_some_frames
    mkdir "$scratch/axi"
    emit_axi lift y=3,x=4,c=3
    run_axi axi.v lift "as it is" '' 'axi: as told'
    run_axi axi.v lift "taken over within frames" 's/pending & idle/pending/' 'faults'
    run_axi axi.v lift "frames that do not wait" 's/ & ~wait_[a-z]*//' 'faults'
    run_axi axi.v lift "an error that is forgotten" 's/ | (failed & .*;/;/' 'faults'
    run_axi axi.v lift "an error that stays" 's/data\[2\]/1'"'b0"'/' 'faults'
    run_axi axi.v lift "an error that a 1 clears" 's/data\[2\]/data[0]/' 'faults'
    run_axi axi.v lift "another address" 's/address == 4/address == 3/' 'faults'
    emit_axi remap y=3,x=4,v=256,k=2
    run_axi axi_tables.v remap "as it is" '' 'axi: as told'
    run_axi axi_tables.v remap "frames that are not held" 's/pending | holds/pending/' 'faults'
    run_axi axi_tables.v remap "the other word" 's/ & address\[0\];/ \& ~address[0];/' 'faults'
    run_axi axi_tables.v remap "the wrong half" 's/data_before <= data/data_before <= ~data/' 'faults'
fi
echo "circuit: $passed passed, $failed failed"
[ $failed -eq 0 ]
