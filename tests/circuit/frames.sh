# Of run.sh: what circuits make of broken frames. A stream of tokens `user last data`, whole frames and such whose samples and
# marks are lost, doubled or changed, goes into a circuit, and so does what `whole_frames` makes of it: what comes out must be the
# same. That the latter is right the other tests show. Both wait at random, differently.

# Tokens of `frames` frames to standard output; from the second on, but for the last two, they are broken, in the way or ways that
# `breaks` names: at random.
broken_frames() { # LINES TOKENS DIGITS FRAMES BREAK SEED
    awk -v lines="$1" -v tokens="$2" -v digits="$3" -v frames="$4" -v how="$5" -v seed="$6" '
        function datum(  i, text) { for (i = 0; i < digits; i++) text = text sprintf("%x", int(16 * rand())); return text }
        function token(user, last) { print user + 0, last + 0, datum() }
        function line(user, count, marks,  i) { for (i = 0; i < count; i++) token(user && i == 0, marks && i == count - 1) }
        function at_random(user, last,  what) {
            what = int(40 * rand())
            if (what == 0) return
            if (what == 1) user = !user
            if (what == 2) last = !last
            token(user, last)
            if (what == 3) token(0, last)
        }
        function whole(  y) { for (y = 0; y < lines; y++) line(y == 0, tokens, 1) }
        function broken(  y, at, x) {
            at = int(lines * rand())
            for (y = 0; y < lines; y++) {
                if (how == "random") { for (x = 0; x < tokens; x++) at_random(y == 0 && x == 0, x == tokens - 1); continue }
                if (how == "cut" && y == at) { line(y == 0, int(tokens * rand()), 0); return }
                if (how == "lost_line" && y == at) continue
                line(y == 0 && how != "no_user", tokens - (how == "short" && y == at) + 2 * (how == "long" && y == at),
                    !(how == "no_last" && y == at))
                if (how == "more_lines" && y == at) line(0, tokens, 1)
                if (how == "all" && y == at) { line(0, tokens, 1); line(0, 1, 1) }
            }
        }
        BEGIN {
            srand(seed)
            if (how == "begun") { line(0, int((tokens + 1) * rand()), 1); for (y = int(lines * rand()); y < lines; y++) line(0, tokens, 1) }
            for (f = 0; f < frames; f++)
                if (f == 0 || f >= frames - 2 || how == "begun") whole(); else broken()
        }'
}
# What the page on circuits says of such a stream: TUSER begins a frame, TLAST ends a line; both are cut or filled up with zeros.
whole_frames() { # LINES TOKENS
    awk -v lines="$1" -v tokens="$2" '
        function put(data) { if (y < lines && x < tokens) print(x + y == 0) + 0, (x == tokens - 1) + 0, data; x++ }
        function end_line(zero) { while (x < tokens) put(zero); x = 0; y++ }
        function end_frame() { if (x) end_line(zero); while (y < lines) end_line(zero); y = 0 }
        { zero = $3; gsub(/./, "0", zero) }
        $1 { if (begun) end_frame(); begun = 1 }
        !begun { next }
        { put($3) }
        $2 { end_line(zero) }'
}

# A bench for the circuit of this folder: it reads in_PORT.txt and writes out_PORT.txt, with +seed=N.
write_frames_bench() { # NAME FOLDER
    awk -v top="$1" '
        $0 ~ "^module " top "$" { inside = 1 }
        inside { text = text $0 }
        inside && /;/ { exit }
        END {
            count = split(text, port, ",")
            print "`timescale 1ns/1ns\nmodule bench;\nreg clk = 0, rst_n = 0;\nalways #5 clk = ~clk;\ninteger seed, resets = 0;\nreg started = 0;"
            print "wire sync_error;\ninteger errors = 0, idle = 0;"
            connections = ".aclk(clk), .aresetn(rst_n), .sync_error(sync_error)"
            for (i = 1; i <= count; i++) {
                if (match(port[i], /p_[a-z_0-9]*/)) connections = connections ", ." substr(port[i], RSTART, RLENGTH) "(0)"
                if (!match(port[i], /[sm]_axis_.*_tdata/)) continue
                name = substr(port[i], RSTART, RLENGTH - 6)
                range = match(port[i], /\[[0-9]*:0\]/) ? substr(port[i], RSTART, RLENGTH) : ""
                short = substr(name, 8)
                n = ++ports
                connections = connections sprintf(", .%s_tvalid(v%d), .%s_tready(r%d), .%s_tdata(d%d), .%s_tlast(l%d), .%s_tuser(u%d)",
                    name, n, name, n, name, n, name, n, name, n)
                if (name ~ /^s/) {
                    printf "reg v%d = 0, l%d = 0, u%d = 0, t%d = 0;\nwire r%d;\nreg %sd%d;\ninteger f%d, n%d;\n", n, n, n, n, n, range, n, n, n
                    opens = opens sprintf("f%d = $fopen(\"in_%s.txt\", \"r\");\n", n, short)
                    # What is not valid is not known.
                    clocked = clocked sprintf("if (t%d) begin v%d = 0; l%d = 1%sbx; u%d = 1%sbx; d%d = 1%sbx; end\n" \
                        "if (!v%d && $random(seed) %% 4 != 0) begin n%d = $fscanf(f%d, \"%%b %%b %%h\", u%d, l%d, d%d); v%d = n%d == 3; end\n",
                        n, n, n, q, n, q, n, q, n, n, n, n, n, n, n, n)
                    takes = takes sprintf("t%d = v%d & r%d;\n", n, n, n)
                    taken = taken sprintf(" | (v%d & r%d)", n, n)
                } else {
                    printf "wire v%d, l%d, u%d;\nreg r%d = 0;\nwire %sd%d;\ninteger f%d;\n", n, n, n, n, range, n, n
                    opens = opens sprintf("f%d = $fopen(\"out_%s.txt\", \"w\");\n", n, short)
                    closes = closes sprintf("if (v%d & r%d) $fdisplay(f%d, \"%%b %%b %%h\", u%d, l%d, d%d);\n", n, n, n, n, n, n)
                    waits = waits sprintf("r%d = $random(seed) %% 4 != 0;\n", n)
                    taken = taken sprintf(" | (v%d & r%d)", n, n)
                }
            }
            print top " dut(" connections ");"
            print "initial begin\nif (!$value$plusargs(\"seed=%d\", seed)) seed = 1;\nif (!$value$plusargs(\"resets=%d\", resets)) resets = 0;"
            print opens "repeat (4) @(posedge clk);\n#1 started = 1;\nend"
            print "always @(posedge clk) begin\nif (rst_n) begin\n" closes takes "errors = errors + (sync_error === 1);"
            print "idle = " "(0" taken ") ? 0 : idle + 1;"
            print "if (idle == 2000) begin $display(\"%0d errors, sync_error %b\", errors, sync_error); $finish; end\nend"
            print "#1;\nif (resets > 0 && rst_n) begin resets = resets - 1; if (resets == 0) rst_n = 0; end else if (started) rst_n = 1;"
            print "if (rst_n) begin\n" clocked waits "end\nend\nendmodule"
        }' q="'" "$2/$1.v" > "$2/bench.v"
    iverilog -g2005 -o "$2/bench" "$2/bench.v" "$2/$1.v" 2> "$2/said" || cat "$2/said" >&2
}

# Runs the bench for streams in IN.txt and WHOLE.txt, of each image; the results are in out_PORT.txt of FOLDER and FOLDER/whole.
compare_frames() { # NAME FOLDER HOW SEED LITTLE, not empty: what breaks may be all of a frame, whose loss nothing tells
    local name="$1: $3, seed $4" folder=$2 errors image
    for image in "$folder"/broken_*.txt; do cp "$image" "$folder/in_${image#*/broken_}"; done
    (cd "$folder" && ./bench +seed="$4" > said_broken && mkdir -p got && mv out_*.txt got)
    for image in "$folder"/whole_*.txt; do cp "$image" "$folder/in_${image#*/whole_}"; done
    (cd "$folder" && ./bench +seed=7"$4" > said_whole)
    for image in "$folder"/out_*.txt; do
        if [ -s "$image" ] && cmp -s "$image" "$folder/got/$(basename "$image")"; then pass; else fail "$name: frames differ"; fi
    done
    errors=$(sed 's/ .*//' "$folder/said_broken")
    if grep -q '^0 errors, sync_error 0' "$folder/said_whole" && grep -q 'sync_error 0' "$folder/said_broken" &&
        case $3 in begun) [ "$errors" = 0 ] ;; random) true ;; *) [ "$errors" -gt 0 ] || [ "$5" ] ;; esac
    then pass; else fail "$name: sync_error is wrong: $(cat "$folder/said_broken"), of whole frames $(cat "$folder/said_whole")"; fi
}
# A reset of one clock somewhere: the last two frames are there afterwards, whole.
compare_after_reset() { # NAME FOLDER CLOCKS FRAMES
    local image tokens
    for image in "$2"/whole_*.txt; do cp "$image" "$2/in_${image#*/whole_}"; done
    (cd "$2" && rm -rf got && ./bench +seed=5 > said && mkdir got && mv out_*.txt got && ./bench +seed=9 +resets="$3" > said)
    for image in "$2"/out_*.txt; do
        tokens=$(($(grep -c . "$2/got/$(basename "$image")") / $4 * 2))
        if cmp -s <(tail -n $tokens "$image") <(tail -n $tokens "$2/got/$(basename "$image")"); then pass; else fail "$1: frames after a reset"; fi
    done
}
# The program at a size. IMAGE: name, lines, tokens, hexadecimal digits of TDATA.
check_frames() { # FILE SIZE IMAGE …
    local file=$1 size=$2 folder name how seed=0 image
    shift 2
    name=$(basename "$file" .flt)
    folder=$scratch/frames_${name}_$size
    # shellcheck disable=SC2046
    "$fltc" emit "$file" --target verilog --size "${size%:*}" $(pixels "$size") -o "$folder/" || {
        fail "frames of $name: not emitted"
        return
    }
    write_frames_bench "$name" "$folder"
    IFS=: read -r -a image <<< "$1"
    local little='' frames=$((6 + 300 / (image[1] * image[2])))
    [ "${image[1]}" -gt 1 ] && [ "${image[2]}" -gt 1 ] || little=1
    for how in begun cut short long lost_line more_lines no_last no_user all random random random; do
        seed=$((seed + 1))
        for image in "$@"; do
            IFS=: read -r -a image <<< "$image"
            broken_frames "${image[@]:1}" 6 $how "$seed" > "$folder/broken_${image[0]}.txt"
            whole_frames "${image[1]}" "${image[2]}" < "$folder/broken_${image[0]}.txt" > "$folder/whole_${image[0]}.txt"
        done
        compare_frames "$name at $size" "$folder" $how $seed "$little"
    done
    for image in "$@"; do
        IFS=: read -r -a image <<< "$image"
        broken_frames "${image[@]:1}" $frames begun 1 | whole_frames "${image[1]}" "${image[2]}" > "$folder/whole_${image[0]}.txt"
    done
    compare_after_reset "$name at $size" "$folder" 7 $frames
    compare_after_reset "$name at $size" "$folder" 40 $frames
}
# What the tests have to see.
check_planted_frames() {
    local folder=$scratch/frames_blur_y=4,x=5 fault how
    for fault in 's/drop & seen/drop/' 's/(start | skips)/start/' 's/i_user & ~start/1'"'"'b0/' 's/ended | (takes & i_last)/1'"'"'b0/' \
        's/{BITS{~made}}/{BITS{1'"'"'b1}}/'; do
        cp "$folder/blur.v" "$folder/right.v"
        sed -i "$fault" "$folder/blur.v"
        write_frames_bench blur "$folder"
        if (
            failed=0
            for how in begun cut short long; do
                broken_frames 4 5 2 6 $how 3 > "$folder/broken_in.txt"
                whole_frames 4 5 < "$folder/broken_in.txt" > "$folder/whole_in.txt"
                compare_frames blur "$folder" $how 3 ''
            done
            [ $failed = 0 ]
        ) 2> /dev/null
        then fail "frames: not noticed: $fault"; else pass; fi
        cp "$folder/right.v" "$folder/blur.v"
    done
}
# negate, and parts with results of two extents.
write_frames_programs() {
    printf 'filter negate(in : image<u8>[y, x]) -> out : image<u8>[y, x] { out[y, x] = 255 - in[y, x]; }\n' > "$scratch/negate.flt"
    printf '%s\n' 'filter parts(in : image<u8>[y, x]) -> (out : image<u8>[y, x], half : image<u16>[y, x])' '{' '    border clamp;' \
        '    out[y, x] = max(in[y - 1, x], in[y, x + 1]);' \
        '    half[y in 0 ..< in.y / 2, x in 0 ..< in.x / 2] = in[2 * y, 2 * x] + in[2 * y + 1, 2 * x + 1];' '}' > "$scratch/parts.flt"
}
# Images of one sample, of several lines, of several tokens a line and of several samples a token; two images.
check_some_frames() {
    write_frames_programs
    check_frames "$scratch/negate.flt" y=1,x=1 in:1:1:2
    check_frames blur.flt y=4,x=5 in:4:5:2
    check_planted_frames
    check_frames down.flt y=5,x=60:4 in:5:15:8
    check_frames luma.flt y=4,x=6 a:4:6:6 b:4:6:2
}
# Lines of one token, frames of one line; recurrences and counts, whose numbers start with the frame; two results, a parameter, results
# of another extent.
check_more_frames() {
    local row
    write_frames_programs
    while read -r row; do
        # shellcheck disable=SC2086
        is_of_share && check_frames $row
    done << END
$scratch/negate.flt y=5,x=1 in:5:1:2
$scratch/negate.flt y=1,x=6 in:1:6:2
blur.flt y=4,x=16:4 in:4:4:8
scan.flt y=4,x=20 in:4:20:2
hist.flt y=20,x=20 in:20:20:2
lopsided.flt y=5,x=7 in:5:7:2 b:5:7:2
lift.flt y=3,x=4,c=3 in:3:4:6 b:3:4:4
$scratch/parts.flt y=6,x=8 in:6:8:2
pyramid.flt y=9,x=7,c=3 in:9:7:6
END
}
