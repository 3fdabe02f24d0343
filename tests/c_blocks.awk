# Headers in a page: each block of C whose first line is its name, /* gain.h */, into a file of that name.
#     awk -v folder=FOLDER -f tests/c_blocks.awk PAGE.md
/^```c$/ { first = 1; next }
/^```/   { if (file) close(file); file = ""; first = 0; next }
first    { first = 0; if ($1 == "/*" && $3 == "*/") { file = folder "/" $2; printf "" > file } }
file     { print > file }
