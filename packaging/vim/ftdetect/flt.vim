autocmd BufNewFile,BufRead *.flt setfiletype flt
