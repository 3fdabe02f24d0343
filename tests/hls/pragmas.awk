# Pragmas of HLS in FILE.cpp or FILE.c: allowed names with allowed words, each where it belongs. Prints what is wrong.
function complain(text) { printf "%s:%d: %s: %s\n", FILENAME, FNR, text, $0; bad = 1 }
function word(name,   i) { # its value, "" where it is not there
    for (i = 4; i <= NF; i++)
        if (index($i, name "=") == 1)
            return substr($i, length(name) + 2)
    return ""
}
function words_are(allowed,   i, name) {
    for (i = 4; i <= NF; i++) {
        name = $i
        sub(/=.*/, "", name)
        if (index(" " allowed " ", " " name " ") == 0)
            complain("the word '" name "'")
    }
}
function variable_is_known(   name) {
    name = word("variable")
    if (!(name in declared) && name !~ /^table_[0-9]+$/)
        complain("'" name "' is not declared before")
}
/^static .*\(|^(extern "C" )?void / { # a function begins
    delete declared
    delete depth
    top = !/^static/
    dataflow = 0
}
/[0-9]> [a-z_A-Z0-9]+\("/ { # a stream; its type may stand in the line before
    name = $0
    sub(/\(".*/, "", name)
    of = name
    sub(/.* /, "", name)
    sub(/> [^ ]*$/, "", of)
    sub(/.*, /, "", of)
    depth[name] = of
}
/^ *FLT_STREAM / { # an array as a stream, which tells no depth
    name = $3
    sub(/\[.*/, "", name)
    depth[name] = "any"
    declared[name]
}
# Arrays and numbers that are declared.
!/#pragma/ {
    line = $0
    while (match(line, /[a-z_][a-z_0-9]*(\[[0-9]+\])*( = (\{0?\}|0))?[;,]/) || match(line, /[a-z_A-Z0-9]+\("/)) {
        name = substr(line, RSTART, RLENGTH)
        sub(/[^a-zA-Z_0-9].*/, "", name)
        declared[name]
        line = substr(line, RSTART + RLENGTH)
    }
}
/^ *#ifndef __BAMBU__/ { guarded = 1 }
/^ *#endif/ { guarded = 0 }
/#pragma/ && $2 != "HLS" { complain("no pragma of HLS") }
/#pragma HLS/ {
    if ($3 == "INTERFACE") {
        words_are("mode port")
        if (!top || (word("port") == "return" && !guarded)) complain("not here")
        if (word("mode") !~ /^(axis|s_axilite|ap_ctrl_none)$/) complain("the mode")
    } else if ($3 == "DATAFLOW") {
        words_are("")
        if (!top) complain("not here")
        dataflow = 1
    } else if ($3 == "STREAM") {
        words_are("variable depth type")
        if (!dataflow) complain("not here")
        of = depth[word("variable")]
        if ((of != "any" && of + 0 != word("depth") + 0) || word("depth") + 0 < 2) complain("the depth")
        variable_is_known()
        delete depth[word("variable")]
    } else if ($3 == "BIND_STORAGE") {
        words_are("variable type impl")
        if (word("type") !~ /^(fifo|ram_s2p|rom_np)$/ || word("impl") !~ /^(bram|lutram|srl)$/) complain("the memory")
        variable_is_known()
    } else if ($3 == "ARRAY_PARTITION") {
        words_are("variable dim complete")
        variable_is_known()
    } else if ($3 == "DEPENDENCE") {
        words_are("variable type direction distance dependent")
        if (word("type") != "inter" || (word("dependent") == "true") != (word("distance") != "")) complain("the words")
        variable_is_known()
    } else if ($3 == "PIPELINE") {
        words_are("II style")
        if (!guarded || before !~ /(for|while) \(.*\) \{$/) complain("not here")
        pipelined = 1
    } else if ($3 == "INLINE") {
        if ($4 != "off") complain("the word")
    } else
        complain("the name")
}
/^ *(before|lines|places|clear|give):$/ { label = $1 }
/^ *(for \(int (place|bin) = .*\{|while \(!beat\.user\) \{)$/ { if (label == "") complain("a loop without a label"); pipelined = 0; inner = 1 }
/^ *#endif/ && inner { if (!pipelined) complain("a loop that is not a pipeline"); inner = 0 }
!/^ *#/ { before = $0 }
/^}/ && top { for (name in depth) complain("no depth of " name) }
END { exit bad }
