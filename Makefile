# fltc: see `make help`. All output is in build/.
BUILD   ?= build
CC      ?= cc
BISON   ?= bison
FLEX    ?= flex

OPTIMIZE ?= -O2
# Contraction is off: the compiler computes with the language's own rounding. Vectors of statements are
# off because gcc 12 then takes (double)(float)v, of two doubles side by side, for v.
CFLAGS_ALL = -std=gnu11 -D_GNU_SOURCE $(OPTIMIZE) -g -ffp-contract=off -fno-tree-slp-vectorize \
             -Wall -Wextra -Wshadow -Werror=switch -Wstrict-prototypes -Wmissing-prototypes \
             -Wconversion -Wno-psabi $(WERROR) -Icompiler -Igrammar -Iruntime/include -Iruntime -I$(BUILD) $(SANITIZE) $(CPPFLAGS) $(CFLAGS)
# Without Blosc, .apr files are refused. HAS_BLOSC= builds so where it is installed.
HAS_BLOSC := $(shell pkg-config --exists blosc 2> /dev/null && echo y)
PARTICLES_FILE_LIBRARIES := $(if $(HAS_BLOSC),$(shell pkg-config --libs blosc))
LDLIBS_ALL = -lpng -ljpeg -ltiff -lexpat $(PARTICLES_FILE_LIBRARIES) -lm -ldl -lpthread -fopenmp $(SANITIZE) $(LDFLAGS) $(LDLIBS)

SOURCES   := $(filter-out compiler/main.c,$(shell find compiler -name '*.c' | sort))
# runtime/fft and runtime/particles_file are of libraries of their own.
RUNTIME   := $(wildcard runtime/*.c runtime/image/*.c runtime/particles/*.c)
GENERATED := $(BUILD)/parser.tab.c $(BUILD)/lexer.yy.c $(BUILD)/library.c $(BUILD)/explain.c $(BUILD)/elementary.c \
             $(BUILD)/launch_texts.c
OBJECTS   := $(SOURCES:%.c=$(BUILD)/%.o) $(RUNTIME:%.c=$(BUILD)/%.o) $(GENERATED:.c=.o) \
             $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/particles_file/*.c))

.DELETE_ON_ERROR:
all: $(BUILD)/fltc

# What a build cannot do without: a header or a command, and the package of Debian that has it.
NEEDS = header:png.h:libpng-dev header:jpeglib.h:libjpeg62-turbo-dev header:tiffio.h:libtiff-dev \
        header:expat.h:libexpat1-dev command:$(BISON):bison command:$(FLEX):flex
$(BUILD)/needs: Makefile
	@mkdir -p $(@D)
	@missing=; for need in $(NEEDS); do package=$${need##*:} rest=$${need#*:}; name=$${rest%:*}; \
	  case $$need in \
	  header:*) printf '\#include <stdio.h>\n\#include <%s>\n' $$name | $(CC) $(CPPFLAGS) $(CFLAGS) -E -x c - > /dev/null 2>&1 ;; \
	  command:*) command -v $$name > /dev/null ;; esac || missing="$$missing $$package"; done; \
	[ -z "$$missing" ] || { echo "packages are missing; type:  sudo apt-get install$$missing" >&2; exit 1; }
	@touch $@
$(OBJECTS) $(GENERATED): | $(BUILD)/needs

$(BUILD)/fltc: $(BUILD)/compiler/main.o $(BUILD)/libfltc.a
	@echo "  link $@"
	@$(CC) -rdynamic -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/libfltc.a: $(OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

$(BUILD)/parser.tab.c $(BUILD)/parser.tab.h &: grammar/parser.y
	@mkdir -p $(@D)
	@echo "  bison $<"
	@$(BISON) -Wall -Werror -d -o $(BUILD)/parser.tab.c $<
$(BUILD)/lexer.yy.c $(BUILD)/lexer.yy.h &: grammar/lexer.l
	@mkdir -p $(@D)
	@echo "  flex $<"
	@$(FLEX) --header-file=$(BUILD)/lexer.yy.h -o $(BUILD)/lexer.yy.c $<
# Texts embedded in the compiler: the standard library, the pages of `fltc explain`, elementary functions.
TO_C_STRING = sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/'
$(BUILD)/library.c: $(wildcard stdlib/*.flt) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "frontend/load_modules.h"'; \
	  echo 'const struct library_module library[] = {'; \
	  for f in $(sort $(wildcard stdlib/*.flt)); do \
	    echo "{\"std.$$(basename $$f .flt)\","; $(TO_C_STRING) $$f; echo '},'; done; \
	  echo '{0, 0}};'; } > $@
$(BUILD)/explain.c: $(wildcard compiler/diagnostics/explain/*.md) Makefile
	@mkdir -p $(@D)
	@{ echo 'struct explain_page { const char *code, *text; };'; \
	  echo 'extern const struct explain_page explain_pages[];'; \
	  echo 'const struct explain_page explain_pages[] = {'; \
	  for f in $(sort $(wildcard compiler/diagnostics/explain/*.md)); do \
	    echo "{\"$$(basename $$f .md)\","; $(TO_C_STRING) $$f; echo '},'; done; \
	  echo '{0, 0}};'; } > $@
# What emitted C has around its kernels.
LAUNCH_TEXTS := $(sort $(wildcard compiler/emit/launch/openmp/texts/*.h))
$(BUILD)/launch_texts.c: $(LAUNCH_TEXTS) Makefile
	@mkdir -p $(@D)
	@{ for f in $(LAUNCH_TEXTS); do name=$$(basename $$f .h); \
	    echo "extern const char launch_text_$$name[]; const char launch_text_$$name[] ="; $(TO_C_STRING) $$f; echo ';'; done; } > $@
# Paragraphs that hold a definition, each under the name that it defines.
TRANSFORM_TEXTS := $(sort $(wildcard compiler/transform/texts/*.h))
# What transforms are in f64 is made of what they are in f32.
TRANSFORM_F64 := $(patsubst compiler/%_f32.h,$(BUILD)/%_f64.h,$(filter %_f32.h,$(TRANSFORM_TEXTS)))
$(BUILD)/transform/%_f64.h: compiler/transform/%_f32.h
	@mkdir -p $(@D)
	@sed -E 's/\bfloat\b/double/g; s/_f32/_f64/g; s/_F32/_F64/g; s/\b(0\.5)f\b/\1/g' $< > $@
$(BUILD)/compiler/transform/transform.o: $(TRANSFORM_F64)
ELEMENTARY_TEXTS := $(sort $(wildcard compiler/elementary/texts/*.h)) $(TRANSFORM_TEXTS) $(TRANSFORM_F64)
# In place of some of them, where the caller of a filter gives it an FFT.
GIVEN_TEXTS := $(sort $(wildcard compiler/transform/given/*.h)) $(BUILD)/transform/given/given_f64.h
# The array $(1) of the definitions in the files $(2).
texts = echo 'const struct elementary_text $(1)[] = {'; \
	  cat $(2) | $(TO_C_STRING) | awk 'function flush() { \
	      if (name != "") printf "{\"%s\",\n%s},\n", name, text; name = text = "" } \
	    $$0 == "\"\\n\"" { flush(); next } \
	    { text = text $$0 "\n" } \
	    name == "" && /^"(FLT_INLINE|static|struct) / && \
	      match($$0, /flt_[a-z0-9_]+( [{]|[[(])/) { name = substr($$0, RSTART, RLENGTH); sub(/ ?.$$/, "", name) } \
	    END { flush() }'; \
	  echo '{0, 0}};'
$(BUILD)/elementary.c: $(ELEMENTARY_TEXTS) $(GIVEN_TEXTS) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "elementary/elementary.h"'; \
	  $(call texts,elementary_texts,$(ELEMENTARY_TEXTS)); \
	  $(call texts,given_texts,$(GIVEN_TEXTS)); } > $@

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<
# Loops over many samples, by several threads.
$(BUILD)/runtime/particles/%.o: CFLAGS_ALL += -O3 -fopenmp -fno-math-errno -fPIC
# Generated code is compiled with flags of its own.
$(GENERATED:.c=.o): $(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/parser.tab.h
	@echo "  cc $<"
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(OPTIMIZE) -g -Icompiler -Igrammar -I$(BUILD) $(SANITIZE) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/compiler/frontend/parse.o: $(BUILD)/parser.tab.h $(BUILD)/lexer.yy.h

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- Tests ----
# tests/unit/**/test_*.c: one CMocka program each. tests/<kind>/run.sh: one kind of test each; a script
# gets BUILD in the environment and exits with 0 when all is well. What belongs to which of make check, make test
# and make test-long: tests/README.md. So many parts at once:
JOBS ?= $(shell nproc)

UNIT_SOURCES := $(shell find tests/unit -name 'test_*.c' | sort)
UNIT_TESTS   := $(UNIT_SOURCES:%.c=$(BUILD)/%)
FUZZERS      := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/*.c))

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a -lcmocka $(LDLIBS_ALL)
# Other forms of .apr files are made by HDF5's library, which nothing else has.
$(BUILD)/tests/unit/particles_file/% $(BUILD)/tests/fuzz/mutate_particles.o: CFLAGS_ALL += $$(pkg-config --cflags hdf5)
$(BUILD)/tests/unit/particles_file/% $(BUILD)/tests/fuzz/mutate_particles: LDLIBS_ALL += $$(pkg-config --libs hdf5)
FUZZ_PARTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fuzz/program/*.c tests/fuzz/stream/*.c))
$(FUZZ_PARTS) $(FUZZERS:=.o): CFLAGS_ALL += -Itests/fuzz
$(BUILD)/tests/fuzz/program/native.o: CFLAGS_ALL += -DEXTERNALS_FOLDER='"$(abspath tests/externals)"' \
    -DSIMULATOR_FOLDER='"$(abspath tests/simulator)"'
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(FUZZ_PARTS) $(BUILD)/libfltc.a
	@echo "  link $@"
	@$(CC) -rdynamic -o $@ $^ $(LDLIBS_ALL)
$(BUILD)/tests/fuzz/mutate_particles: LDLIBS_ALL += -lcmocka

$(BUILD)/tests/apr/%: tests/apr/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a -lcmocka $(LDLIBS_ALL)
run-apr: $(BUILD)/tests/apr/convert

$(BUILD)/tests/emit/%: tests/emit/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -rdynamic -o $@ $< $(BUILD)/libfltc.a $(LDLIBS_ALL)
# What it loads takes memory from it.
$(BUILD)/tests/emit/same_bytes: LDLIBS_ALL += -rdynamic
$(BUILD)/tests/emit/check_promises: LDLIBS_ALL += -L$$($(LLVM_CONFIG) --libdir) -lclang-14
$(BUILD)/tests/emit/check_promises: CFLAGS_ALL += -isystem $$($(LLVM_CONFIG) --includedir)
LLVM_CONFIG ?= llvm-config-14
run-emit long-emit: $(BUILD)/tests/emit/check_promises $(BUILD)/tests/emit/same_bytes
run-cuda long-cuda run-opencl long-opencl: $(BUILD)/tests/emit/same_bytes

$(BUILD)/tests/names/%: tests/names/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a $(LDLIBS_ALL)
run-names long-names: $(BUILD)/tests/names/reserved

$(BUILD)/tests/simulator/%: tests/simulator/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a $(LDLIBS_ALL)
run-simulator: $(BUILD)/tests/simulator/run_kernels

# The processes of a test, a line each on standard input, into the folder $(1); what fails is shown. $(2): their name.
define processes
rm -rf $(1) && mkdir -p $(1); nl -w 1 -s ' ' | xargs -P $(JOBS) -L 1 \
	   sh -c '"$$@" > $(1)/"$$0" 2>&1 || { cat $(1)/"$$0"; exit 1; }'; bad=$$?; \
	 cat $(1)/* | awk '/PASSED  \] [0-9]/ { p += $$4 } /FAILED  \] [0-9]/ { f += $$4 } \
	   END { printf "$(2): %d passed, %d failed\n", p, f }'; exit $$bad
endef
# The longest unit test is two processes.
HALVES = '$(1) of_forms' '$(1) -of_forms'
LONGEST_UNIT := $(BUILD)/tests/unit/interpret/test_realisations
unit: $(UNIT_TESTS)
	@printf '%s\n' $(call HALVES,$(LONGEST_UNIT)) $(filter-out $(LONGEST_UNIT),$(UNIT_TESTS)) | \
	 { $(call processes,$(BUILD)/tests/unit/logs,unit tests); }

# One kind of test: its script, if the kind is there.
SCRIPTS := lint diagnostics command golden texts schedule language elementary emit fft prepared threads embed apr install document tutorial faults simulator cuda opencl circuit hls library names examples bench/compile
SCRIPT_TARGETS := $(SCRIPTS:%=run-%)
$(SCRIPT_TARGETS): run-%: $(BUILD)/fltc
	@if [ -f tests/$*/run.sh ]; then echo "== tests/$*"; env -u MAKELEVEL MAKEFLAGS= BUILD=$(abspath $(BUILD)) bash tests/$*/run.sh; fi
run-emit long-emit run-simulator: $(BUILD)/libfltc.a
run-library long-library: $(BUILD)/libfltparticles.a

$(BUILD)/tests/elementary/%: tests/elementary/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a $(LDLIBS_ALL) -lmpfr -lgmp
run-elementary: $(BUILD)/tests/elementary/accuracy
# An hour: every argument of every function of f32 that takes one.
elementary-exhaustive: $(BUILD)/tests/elementary/accuracy
	$< exhaustive
elementary-speed:
	@bash tests/elementary/speed.sh

# Recurrences on the whole line in 128 bits, and realisations of them: see the tests.
QUAD := $(BUILD)/quad/tests/unit/interpret
quad:
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/quad OPTIMIZE=-O1 CFLAGS='$(CFLAGS) -DFLTC_QUAD' \
	   LDLIBS='$(LDLIBS) -lquadmath' $(QUAD)/test_unbounded $(QUAD)/test_realisations
QUAD_PROCESSES = printf '%s\n' $(call HALVES,$(QUAD)/test_realisations) $(QUAD)/test_unbounded | \
	 { $(call processes,$(BUILD)/quad/logs,128 bits); }
run-quad: quad
	@export SHARE=1/6; $(QUAD_PROCESSES)
long-quad: quad
	@export SHARE=$(SLICE) FLTC_LONG=1; $(QUAD_PROCESSES)

# The fuzzers under AddressSanitizer and UndefinedBehaviorSanitizer, in a build folder of their own.
ASAN = $(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPTIMIZE=-O1 \
       SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined'
asan:
	@+$(ASAN) $(BUILD)/asan/fltc $(patsubst tests/fuzz/%.c,$(BUILD)/asan/tests/fuzz/%,$(wildcard tests/fuzz/*.c))

# What a fuzzer has found is run first. N programs, then mutated texts and images.
N    ?= 60
SEED ?= 1
MUTATIONS ?= 4000
PROGRAMS := $(BUILD)/tests/fuzz/generate_program
fuzz-regressions: $(PROGRAMS)
	$(PROGRAMS) --regressions tests/fuzz/regressions
random-programs: $(PROGRAMS)
	$(PROGRAMS) --seed $(SEED) --count $(N)
# The same of circuits, in Icarus Verilog; both together are one part.
CIRCUITS := $(BUILD)/tests/fuzz/generate_circuit
fuzz-circuits: $(CIRCUITS) $(BUILD)/fltc
	$(CIRCUITS) --regressions tests/fuzz/circuits
	$(CIRCUITS) --seed $(SEED) --count 200
fuzz-programs:
	@+$(MAKE) --no-print-directory fuzz-regressions
	@+$(MAKE) --no-print-directory random-programs
# Large files, of LibAPR; where they are there.
LIBAPR_FILES = $(wildcard ../shared/data/apr/*.apr)
mutate_files = $(if $(LIBAPR_FILES),$(BUILD)/asan/tests/fuzz/mutate_particles $(1) $(2) $(LIBAPR_FILES),@echo 'SKIPPED: no files of LibAPR in ../shared/data/apr')
fuzz-mutations: asan
	$(BUILD)/asan/tests/fuzz/mutate_text --regressions tests/fuzz/regressions
	$(BUILD)/asan/tests/fuzz/mutate_text $(SEED) $(MUTATIONS)
	$(BUILD)/asan/tests/fuzz/mutate_image $(SEED) $(MUTATIONS)
	$(BUILD)/asan/tests/fuzz/mutate_particles $(SEED) $(MUTATIONS)
	$(call mutate_files,$(SEED),$$(($(MUTATIONS) / 20)))

CHECK_PARTS := fuzz-regressions random-programs unit run-diagnostics run-golden
# The parts of `make test`, those that take long first. What measures time runs by itself.
BY_THEMSELVES := run-bench/compile
TEST_PARTS    := fuzz-regressions random-programs run-emit run-library run-quad unit fuzz-mutations fuzz-circuits \
                 $(filter-out run-emit run-library $(BY_THEMSELVES),$(SCRIPT_TARGETS)) lint
# The parts of `make test-long`: of each the share SLICE, 3/16 say. What is long in a script reads SHARE and FULL.
SLICE ?= 1/1
SLICE_NUMBER := $(firstword $(subst /, ,$(SLICE)))
SLICES       := $(lastword $(subst /, ,$(SLICE)))
LONG_SCRIPTS := emit cuda opencl library circuit names texts
LONG_PARTS   := long-programs long-circuits $(LONG_SCRIPTS:%=long-%) long-quad long-mutations long-elementary
$(LONG_SCRIPTS:%=long-%): long-%: $(BUILD)/fltc
	@echo "== tests/$*, $(SLICE)"; MAKEFLAGS= FULL=1 SHARE=$(SLICE) BUILD=$(abspath $(BUILD)) bash tests/$*/run.sh
long-elementary: $(BUILD)/tests/elementary/accuracy
	$< exhaustive $(SLICE)
# 4,880 random programs in all, 320 whose kernels are run by OpenCL, and 480 under the sanitizers; 96,000 mutations of texts and of each kind of image.
of_slices = $$(($(1) / $(SLICES)))
long-programs: $(PROGRAMS) asan
	$(PROGRAMS) --regressions tests/fuzz/regressions_long
	$(PROGRAMS) --seed $$((20000 + 10000 * $(SLICE_NUMBER))) --count $(call of_slices,4880)
	POCL_CACHE_DIR=$(abspath $(BUILD))/pocl $(PROGRAMS) --compiler opencl \
	  --seed $$((27000 + 10000 * $(SLICE_NUMBER))) --count $(call of_slices,320)
	$(BUILD)/asan/tests/fuzz/generate_program --compiler asan --no-shrink \
	  --seed $$((25000 + 10000 * $(SLICE_NUMBER))) --count $(call of_slices,480)
# 16,000 programs for circuits; of those that stream every 80th in Verilator, too.
long-circuits: $(CIRCUITS) $(BUILD)/fltc
	$(CIRCUITS) --verilator 80 --seed $$((100000 + 100000 * $(SLICE_NUMBER))) --count $(call of_slices,16000)
long-mutations: asan
	$(BUILD)/asan/tests/fuzz/mutate_text $$((20000 + $(SLICE_NUMBER))) $(call of_slices,96000)
	$(BUILD)/asan/tests/fuzz/mutate_image $$((20000 + $(SLICE_NUMBER))) $(call of_slices,96000)
	$(BUILD)/asan/tests/fuzz/mutate_particles $$((20000 + $(SLICE_NUMBER))) $(call of_slices,96000)
	$(call mutate_files,$$((20000 + $(SLICE_NUMBER))),$(call of_slices,12000))

# The parts $(1), all that can be; what they say stays together. A -j of the command line is kept.
parts = +$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS)) -k -Otarget $(1)
check: all
	@$(call parts,$(CHECK_PARTS) N=50)
test: deps
	@+bash tests/count.sh $(MAKE) --no-print-directory -k test-parts test-alone
test-parts:
	@$(call parts,$(TEST_PARTS))
test-alone: $(BY_THEMSELVES)
test-long: deps
	@echo '$(SLICE)' | awk -F/ '!/^[0-9]+\/[0-9]+$$/ || $$1 < 1 || $$1 > $$2 { exit 1 }' || \
	 { echo "SLICE is K/N, the Kth of N shares, as 3/16; not '$(SLICE)'" >&2; exit 1; }
	@+bash tests/count.sh $(MAKE) --no-print-directory test-long-parts
test-long-parts:
	@$(call parts,$(LONG_PARTS))
fuzz: deps
	@$(MAKE) --no-print-directory fuzz-programs N=$(if $(filter 60,$(N)),2000,$(N))
	@$(MAKE) --no-print-directory fuzz-mutations MUTATIONS=$(if $(filter 4000,$(MUTATIONS)),100000,$(MUTATIONS))
bench: $(BUILD)/fltc $(BUILD)/libfltparticles.a
	@BUILD=$(abspath $(BUILD)) bash tests/bench/run.sh
lint:
	@bash tests/lint.sh

# What the compiler emits beside what it emitted at the revision BASE.
same-text: $(BUILD)/fltc
	@BUILD=$(abspath $(BUILD)) bash tests/same_text.sh

# ---- For users ----
deps:
	@bash tests/install_packages.sh packages.txt

# Five filters on a picture that a filter makes, or on IMAGE=any.png.
DEMO := blur unsharp sobel pyramid warm
demo: deps
	@$(MAKE) --no-print-directory demo-all
demo-all: $(BUILD)/fltc
	@mkdir -p $(BUILD)/demo
	@image='$(IMAGE)'; \
	if [ -z "$$image" ]; then image=$(BUILD)/demo/sample.png; \
	  { printf 'P5\n960 640\n255\n'; head -c 614400 /dev/zero; } > $(BUILD)/demo/blank.pgm; \
	  $(BUILD)/fltc run examples/sample/sample.flt $(BUILD)/demo/blank.pgm -o $$image || exit 1; \
	  rm $(BUILD)/demo/blank.pgm; echo "$$image: made by examples/sample/sample.flt"; fi; \
	for f in $(DEMO); do \
	  $(BUILD)/fltc run examples/$$f/$$f.flt "$$image" -o $(BUILD)/demo/$$f.png || exit 1; \
	  echo "$(BUILD)/demo/$$f.png: $$image through examples/$$f/$$f.flt"; done

include packaging/install.mk

help:
	@echo "make                build/fltc"
	@echo "make demo           five filters on a picture, into build/demo (IMAGE=file for your own)"
	@echo "make check          tests of three minutes;  make test: of twenty to twenty-five, before sending"
	@echo "make test-long      two to three hours of them (SLICE=3/16: the third of sixteen shares)"
	@echo "make fuzz N=2000    random programs and mutated texts (SEED=, MUTATIONS=)"
	@echo "make bench          filters beside Halide and OpenCV, the compiler's own time;  make lint: rules on the sources"
	@echo "make same-text BASE=REV  what is emitted, byte for byte with what an earlier revision emitted"
	@echo "make update-golden  accept what the compiler does now as expected; read the difference"
	@echo "make install        PREFIX=/usr/local DESTDIR=;  make uninstall"
	@echo "make deps           Debian packages;  make clean"
update-golden: $(BUILD)/fltc
	@for k in golden diagnostics command tutorial; do \
	  [ -f tests/$$k/run.sh ] && UPDATE=1 BUILD=$(abspath $(BUILD)) bash tests/$$k/run.sh; done; true

clean:
	rm -rf $(BUILD)
.PHONY: all clean unit asan quad run-quad fuzz-programs fuzz-regressions random-programs fuzz-circuits fuzz-mutations check \
        test test-parts test-alone test-long test-long-parts $(LONG_PARTS) fuzz bench lint same-text deps demo \
        elementary-exhaustive elementary-speed demo-all help update-golden $(SCRIPT_TARGETS)
