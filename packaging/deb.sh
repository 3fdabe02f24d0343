#!/usr/bin/env bash
# deb.sh FOLDER: the last commit as Debian's source package and binary packages, in FOLDER/deb. Without the package's own tests:
# DEB_BUILD_OPTIONS= runs them, too.
set -euo pipefail
umask 022
folder=$1/deb
rm -rf "$folder"
mkdir -p "$folder"
tarball=$(bash packaging/dist.sh "$folder")
cd "$folder"
name=$(basename "$tarball" .tar.gz)
mv "$tarball" "${name/-/_}.orig.tar.gz"
tar -xf "${name/-/_}.orig.tar.gz"
cp -r "$name/packaging/debian" "$name"
cd "$name"
# Debian's own programs, whatever else is in the PATH.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
export DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-nocheck parallel=${JOBS:-$(nproc)}}
env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc
