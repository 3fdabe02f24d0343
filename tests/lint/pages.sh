#!/usr/bin/env bash
# Files and folders that the developers' pages name must exist. Usage: pages.sh PAGE.md ..., in the root.
# pages.sh --tables PAGE.md ...: no row of a table has more than 200 columns, so that it can be read.
# A name is a word in backquotes, or the target of a link. A name with a slash is looked up in the root,
# in compiler/, in runtime/include/ and in the page's folder; a bare file name anywhere. Words in capitals stand for any name.
set -u
if [ "$1" = --tables ]; then
    ! LC_ALL=C.UTF-8 grep -nHE '^ *\|.{200}' "${@:2}" | cut -c1-120 | grep . >&2
    exit
fi
known=$(find . \( -name .git -o -path ./build \) -prune -o -type f -printf '%f\n' | sort -u)
bad=0
names() { # page: its names, one a line
    awk '/^```/ { fenced = !fenced } !fenced' "$1" | grep -oE '`[^` ]+`|\]\([^)#: ]+\)' |
        sed -E 's/^`|`$|^\]\(|\)$//g' |
        grep -E '^[A-Za-z_*.][A-Za-z0-9_.*/{},-]*$' |
        grep -E '/|\.(c|h|def|md|flt|y|l|sh|mk|in)$' |
        grep -vE '^build/|^run-|^\.[a-z.]+$' | sort -u
}
exists() { # folder of the page, name with `*` for what may vary
    case $2 in
    */*) for root in . compiler runtime/include "$1"; do compgen -G "$root/$2" > /dev/null && return 0; done ;;
    *\**) grep -qE "^${2//\*/.*}\$" <<< "$known" && return 0 ;;
    *) grep -qxF "$2" <<< "$known" && return 0 ;;
    esac
    return 1
}
for page in "$@"; do
    while read -r name; do
        # Capitals in front of the ending, or a whole part of a path, stand for any name: passes/NAME.c.
        pattern=$(sed -E 's@(^|/|_)[A-Z]{2,}(/|\.(c|h|def|flt)$)@\1*\2@g; s@/CODE\.md$@/*.md@' <<< "$name")
        exists "$(dirname "$page")" "$pattern" && continue
        echo "$page: '$name' does not exist" >&2
        bad=1
    done < <(names "$page")
done
exit $bad
