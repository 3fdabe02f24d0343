#!/usr/bin/env bash
# Programs proved right for all values of their samples (prove.c): filters of the examples and of the library, programs that random
# tests have kept, and random ones. A program that is refuted fails. What is not covered, or takes more than SECONDS_EACH of
# processor time, counts as passed, and is told: the table at the end says how many programs, and what share of their stages.
# Circuits, programs of tests/circuit, are proved by fltc itself.
# BUILD=folder of prove. SHARE=K/N: every Nth program, from the Kth on. COUNT: random programs, of SEED and following.
# The verdicts, a line each, are in BUILD/prove.tsv; VERBOSE=1 prints those that are not proved.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD SECONDS_EACH=${SECONDS_EACH:-20}
prove=$BUILD/tests/prove/prove

# prove_one GROUP ARGUMENT…: its verdict, name, stages, stages that are no recurrence of floats or transform, behind the group
prove_one() {
    local group=$1 said status
    shift
    said=$(ulimit -t "$SECONDS_EACH" && "$BUILD/tests/prove/prove" "$@" 2> /dev/null)
    status=$?
    [ -n "$said" ] || said="tried	$*	0	0"
    case $status in
    0 | 1) said=$(tail -n +2 <<< "$said") ;;
    137 | 152) said=${said/#tried/takes too long} ;;
    *) said=${said/#tried/REFUTED: stopped} ;;
    esac
    echo "$said" | sed "1s,^,$group	,"
}
# prove_circuit FILE SIZE, as `y=9,x=12` or, four samples a clock, `y=9,x=12:4`
prove_circuit() {
    local said pixels=() folder
    folder=$(mktemp -d)
    [ "${2#*:}" = "$2" ] || pixels=(--pixels "${2#*:}")
    said=$(ulimit -t "$SECONDS_EACH" && "$BUILD/fltc" emit "$1" --target verilog --size "${2%:*}" "${pixels[@]}" \
        --interpret-each --terms -o "$folder/" 2>&1)
    case $? in
    0) said=$(echo "$said" | sed -n 's/^fltc: results have the same terms.*/proved/p; s/^fltc: terms do not cover all values: //p') ;;
    1 | 3) said=refused ;;
    2) said=REFUTED ;;
    137 | 152) said="takes too long" ;;
    *) said="REFUTED: stopped" ;;
    esac
    rm -rf "$folder"
    echo "circuits	$said	$1 $2	1	1"
}
if [ "${1:-}" = one ] && [ "$2" = circuits ]; then
    prove_circuit "${@:3}"
    exit
fi
if [ "${1:-}" = one ]; then
    shift
    prove_one "$@"
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
{
    "$prove" --list examples/*/*.flt 2> /dev/null | sed 's/^/examples /'
    for file in stdlib/*.flt; do
        sed -n "s,^filter \([A-Za-z_0-9]*\).*,library $file:\1,p" "$file"
    done
    ls tests/fuzz/regressions/*.flt | sed 's/^/kept /'
    for file in tests/circuit/*.flt; do
        for size in $(sed -n '1s,^// SIZES: ,,p' "$file"); do echo "circuits $file $size"; done
    done
    for i in $(seq 0 $((${COUNT:-2000} - 1))); do echo "random --random $((${SEED:-1} + i)) 1"; done
} | awk -v share="${SHARE:-1/1}" 'BEGIN { split(share, s, "/") } NR % s[2] == s[1] % s[2]' > "$scratch/list"
xargs -P "${JOBS:-$(nproc)}" -L 1 bash tests/prove/run.sh one < "$scratch/list" > "$scratch/said"
cp "$scratch/said" "$BUILD/prove.tsv"
grep -A 6 '^[a-z]*	REFUTED' "$scratch/said" | cut -c1-400
[ -z "${VERBOSE:-}" ] || grep -v '	proved' "$scratch/said" | cut -c1-300
awk -F'\t' '
    NF != 5 { next }
    { n[$1 "\t" $2]++; programs[$1]++; groups[$1]; all += $2 == "REFUTED" }
    $2 != "refused" { stages[$1] += $5; if ($2 ~ /^proved/) covered[$1] += $5 }
    END {
        for (g in groups) {
            printf "%s: %d programs, %d of %d stages covered\n", g, programs[g], covered[g], stages[g]
            for (v in n) if (index(v, g "\t") == 1) printf "  %5d %s\n", n[v], substr(v, length(g) + 2)
        }
    }' "$scratch/said"
refuted=$(grep -c '^[a-z]*	REFUTED' "$scratch/said")
[ "$(grep -c '^[a-z]*	[^	]*	[^	]*	[0-9]*	[0-9]*$' "$scratch/said")" -eq "$(wc -l < "$scratch/list")" ] || refuted=$((refuted + 1))
echo "prove: $(($(wc -l < "$scratch/list") - refuted)) passed, $refuted failed"
[ "$refuted" -eq 0 ]
