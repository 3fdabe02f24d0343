#!/usr/bin/env bash
# Installs the Debian packages listed in a file, if any is missing and this user may; otherwise prints
# the line to type.
set -u
missing=()
while read -r package; do
    case "$package" in '' | '#'*) continue ;; esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing+=("$package")
done < "$1"
[ ${#missing[@]} -eq 0 ] && exit 0
line="apt-get install -y ${missing[*]}"
as=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "packages are missing; type:  sudo $line" >&2
        exit 1
    fi
    as=(sudo)
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as[@]}" apt-get update -qq && "${as[@]}" $line -qq > /dev/null && exit 0
echo "packages could not be installed; type:  $line" >&2
exit 1
