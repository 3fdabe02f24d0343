# For cases of --memory: pictures that are larger than the step in which
# a limit is told, and the same run whole and in slabs.
text() { # BYTES: of a text that is long enough
    yes "$(cat unsharp.flt blur.flt)" | head -c "$1"
}
# same ENDING WORDS...: fltc run WORDS with the result in a file, whole, and with the least memory that the run says it takes.
same() {
    local ending=$1 need
    shift
    rm -f whole.* slabs.*
    fltc run "$@" -o "whole.$ending" || return
    need=$(fltc run "$@" -o "slabs.$ending" --memory 1K 2>&1 | sed -n 's/.*write --memory //p')
    fltc run "$@" -o "slabs.$ending" --memory "$need" || return
    cmp "whole.$ending" "slabs.$ending" && echo "same: $ending $*"
}
