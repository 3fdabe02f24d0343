// Runs a program for WASI: its exit status. node wasi.mjs PROGRAM
import { readFileSync } from 'fs';
import { WASI } from 'wasi';
const wasi = new WASI({ version: 'preview1', returnOnExit: true });
const program = await WebAssembly.instantiate(readFileSync(process.argv[2]), { wasi_snapshot_preview1: wasi.wasiImport });
process.exit(wasi.start(program.instance));
