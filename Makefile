# fltc: see `make help`. All output is in build/.
BUILD   ?= build
CC      ?= cc
BISON   ?= bison
FLEX    ?= flex
VERSION := $(shell cat VERSION)

OPTIMIZE ?= -O2
# Contraction is off: the compiler computes with the language's own rounding. Vectors of statements are
# off because gcc 12 then takes (double)(float)v, of two doubles side by side, for v.
CFLAGS_ALL = -std=gnu11 -D_GNU_SOURCE $(OPTIMIZE) -g -ffp-contract=off -fno-tree-slp-vectorize \
             -Wall -Wextra -Wshadow -Werror=switch -Wstrict-prototypes -Wmissing-prototypes \
             -fPIC -fno-semantic-interposition -Wconversion -Wno-psabi $(WERROR) -Icompiler -Igrammar -Iruntime/include -Iruntime -I$(BUILD) $(SANITIZE) $(CPPFLAGS) $(CFLAGS)
# Without Blosc, .apr files are refused. HAS_BLOSC= builds so where it is installed.
HAS_BLOSC := $(shell pkg-config --exists blosc 2> /dev/null && echo y)
PARTICLES_FILE_LIBRARIES := $(if $(HAS_BLOSC),$(shell pkg-config --libs blosc))
LDLIBS_ALL = -lpng -ljpeg -ltiff -lexpat $(PARTICLES_FILE_LIBRARIES) -lm -ldl -lpthread -fopenmp $(SANITIZE) $(LDFLAGS) $(LDLIBS)

SOURCES   := $(filter-out compiler/main.c,$(shell find compiler -name '*.c' | sort))
# runtime/fft and runtime/particles_file are of libraries of their own.
RUNTIME   := $(wildcard runtime/*.c runtime/image/*.c runtime/particles/*.c)
GENERATED := $(BUILD)/parser.tab.c $(BUILD)/lexer.yy.c $(BUILD)/library.c $(BUILD)/explain.c $(BUILD)/helpers.c \
             $(BUILD)/launch_texts.c
OBJECTS   := $(SOURCES:%.c=$(BUILD)/%.o) $(RUNTIME:%.c=$(BUILD)/%.o) $(GENERATED:.c=.o) \
             $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/particles_file/*.c))

.DELETE_ON_ERROR:
all: $(BUILD)/fltc

# What a build cannot do without: a header or a command, and the package of Debian that has it.
NEEDS = header:png.h:libpng-dev header:jpeglib.h:libjpeg62-turbo-dev header:tiffio.h:libtiff-dev \
        header:expat.h:libexpat1-dev $(if $(wildcard grammar/generated),,command:$(BISON):bison command:$(FLEX):flex)
$(BUILD)/needs: Makefile
	@mkdir -p $(@D)
	@missing=; for need in $(NEEDS); do package=$${need##*:} rest=$${need#*:}; name=$${rest%:*}; \
	  case $$need in \
	  header:*) printf '\#include <stdio.h>\n\#include <%s>\n' $$name | $(CC) $(CPPFLAGS) $(CFLAGS) -E -x c - > /dev/null 2>&1 ;; \
	  command:*) command -v $$name > /dev/null ;; esac || missing="$$missing $$package"; done; \
	[ -z "$$missing" ] || { echo "packages are missing; type:  sudo apt-get install$$missing" >&2; exit 1; }
	@touch $@
$(OBJECTS) $(GENERATED): | $(BUILD)/needs
# Without a library or program: what -fsyntax-only leaves, for tests/builds.
objects: $(OBJECTS)

$(BUILD)/fltc: $(BUILD)/compiler/main.o $(BUILD)/libfltc.a
	@echo "  link $@"
	@$(CC) -rdynamic -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/libfltc.a: $(OBJECTS)
	@rm -f $@
	@$(AR) rcs $@ $^

# The compiler as a library: what flt_compile needs of it, and no other name. 0 grows where programs must be compiled anew.
$(BUILD)/libfltc.so.0: $(BUILD)/libfltc.a packaging/libfltc.map
	@echo "  link $@"
	@$(CC) -shared -o $@ -Wl,-soname,libfltc.so.0 -Wl,--version-script=packaging/libfltc.map -Wl,--no-undefined \
	  -Wl,-u,flt_compile $(BUILD)/libfltc.a $(SANITIZE) $(LDFLAGS) -lm
	@ln -sf libfltc.so.0 $(BUILD)/libfltc.so

# A tarball of `make dist` has what they make, which serves until the grammar is changed.
given = [ -f grammar/generated/$(1).c ] && [ ! $< -nt grammar/generated/$(1).c ] && cp grammar/generated/$(1).[ch] $(BUILD)
$(BUILD)/parser.tab.c $(BUILD)/parser.tab.h &: grammar/parser.y
	@mkdir -p $(@D)
	@$(call given,parser.tab) || { echo "  bison $<"; $(BISON) -Wall -Werror -d -o $(BUILD)/parser.tab.c $<; }
$(BUILD)/lexer.yy.c $(BUILD)/lexer.yy.h &: grammar/lexer.l
	@mkdir -p $(@D)
	@$(call given,lexer.yy) || { echo "  flex $<"; $(FLEX) --header-file=$(BUILD)/lexer.yy.h -o $(BUILD)/lexer.yy.c $<; }
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
# What emitted files have around their kernels.
LAUNCH_TEXTS := $(sort $(wildcard compiler/emit/launch/openmp/texts/*.h compiler/emit/host/texts/*.h) runtime/include/flt/filter.h)
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
texts = echo 'const struct helper_text $(1)[] = {'; \
	  cat $(2) | $(TO_C_STRING) | awk 'function flush() { \
	      if (name != "") printf "{\"%s\",\n%s},\n", name, text; name = text = "" } \
	    $$0 == "\"\\n\"" { flush(); next } \
	    { text = text $$0 "\n" } \
	    name == "" && /^"(FLT_INLINE|static|struct) / && \
	      match($$0, /flt_[a-z0-9_]+( [{]|[[(])/) { name = substr($$0, RSTART, RLENGTH); sub(/ ?.$$/, "", name) } \
	    END { flush() }'; \
	  echo '{0}};'
$(BUILD)/tools/elementary_texts.c: $(ELEMENTARY_TEXTS) $(GIVEN_TEXTS) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "emit/helper_texts.h"'; \
	  $(call texts,elementary_texts,$(ELEMENTARY_TEXTS)); \
	  $(call texts,given_texts,$(GIVEN_TEXTS)); } > $@
# Helpers of emitted code in each of its languages, by a program that the build runs: with no flags of what is built.
TOOL := tools/helper_texts.c tools/spell.c compiler/expr/scalar.c $(wildcard compiler/support/*.c)
READ := $(wildcard tools/*.h compiler/support/*.h compiler/expr/scalar.*) compiler/emit/kernel/helpers.def \
        compiler/emit/launch/spellings.def compiler/emit/helper_texts.h compiler/transform/transforms.def
$(BUILD)/tools/helper_texts: $(BUILD)/tools/elementary_texts.c $(TOOL) $(READ)
	@echo "  link $@"
	@$(CC) -std=gnu11 -D_GNU_SOURCE -Icompiler -o $@ $< $(TOOL)
$(BUILD)/helpers.c: $(BUILD)/tools/helper_texts
	@echo "  make $@"
	@$< > $@

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<
$(BUILD)/compiler/driver/version.o: CFLAGS_ALL += -DFLTC_VERSION='"$(VERSION)"'
$(BUILD)/compiler/driver/version.o: VERSION
# Loops over many samples, by several threads. Clang takes minutes for them with sanitizers, and SWIFT=-O1 half a minute.
SWIFT ?= -O3
$(BUILD)/runtime/particles/%.o: CFLAGS_ALL += $(SWIFT) -fopenmp -fno-math-errno -fPIC
# Generated code is compiled with flags of its own.
$(GENERATED:.c=.o): $(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/parser.tab.h
	@echo "  cc $<"
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(OPTIMIZE) -g -fPIC -fno-semantic-interposition -Icompiler -Igrammar -I$(BUILD) $(SANITIZE) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/compiler/frontend/parse.o: $(BUILD)/parser.tab.h $(BUILD)/lexer.yy.h

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- Tests ----
# tests/unit/**/test_*.c: one CMocka program each. tests/<kind>/run.sh: one kind of test each; a script
# gets BUILD, SHARE and FULL in the environment and exits with 0 when all is well. So many parts at once:
JOBS ?= $(shell nproc)
export JOBS

# Each part of the tests, with its share in make check, make test, make test-more and make test-long; -: none. 1/8 is the first of
# eight shares, $(SLICE) the one asked for. Parts that take long stand first. In make test-long FULL=1 is in the environment.
SLICE ?= 1/1
SLICE_NUMBER := $(firstword $(subst /, ,$(SLICE)))
SLICES       := $(lastword $(subst /, ,$(SLICE)))
# All of a part; beside one slice of several, half of it: the first half beside odd slices, the second beside even ones.
HALF := $(if $(filter 1,$(SLICES)),1/1,$(if $(filter %1 %3 %5 %7 %9,$(SLICE_NUMBER)),1/2,2/2))
part = $(call add_part,$(strip $(1)),$(strip $($(COLUMN_$(TIER)))))
add_part = $(if $(filter-out -,$(2)),$(eval PARTS += $(1))$(eval SHARE_$(1) := $(2)))
COLUMN_check := 2
COLUMN_test  := 3
COLUMN_more  := 4
COLUMN_long  := 5
#            part                  check test  more  long
$(call part, run-command,          -,    1/1,  -,    -)
$(call part, run-emit,             -,    1/16, 2/4,  $(SLICE))
$(call part, unit,                 1/4,  1/4,  1/1,  -)
$(call part, long-programs,        -,    -,    -,    $(SLICE))
$(call part, run-library,          -,    1/32, $(HALF), $(SLICE))
$(call part, fuzz-regressions,     -,    1/8,  1/1,  -)
$(call part, run-quad,             -,    -,    1/6,  $(SLICE))
$(call part, fuzz-mutations,       -,    -,    1/1,  -)
$(call part, long-mutations,       -,    -,    -,    $(SLICE))
$(call part, long-circuits,        -,    -,    -,    $(SLICE))
$(call part, run-fuzz/libfuzzer,   -,    -,    -,    $(SLICE))
$(call part, run-circuit,          -,    1/16, 1/1,  $(SLICE))
$(call part, run-hls,              -,    1/16, $(HALF), -)
$(call part, run-prove,            -,    1/80, 1/24, -)
$(call part, run-terms,            -,    1/32, -,    -)
$(call part, run-names,            -,    -,    1/1,  $(SLICE))
$(call part, run-texts,            -,    1/1,  -,    $(SLICE))
$(call part, run-cuda,             -,    1/8,  1/1,  $(SLICE))
$(call part, run-opencl,           -,    1/8,  1/1,  $(SLICE))
$(call part, run-diagnostics,      1/1,  1/1,  -,    -)
$(call part, run-schedule,         -,    1/1,  -,    -)
$(call part, run-simulator,        -,    1/1,  -,    -)
$(call part, random-programs,      1/6,  1/3,  1/1,  -)
$(call part, interpreted-programs, 1/3,  1/3,  1/2,  -)
$(call part, fuzz-circuits,        -,    1/4,  1/1,  -)
$(call part, run-builds,           -,    -,    1/1,  -)
$(call part, run-install/programs, -,    -,    1/1,  -)
$(call part, run-packages,       -,    -,    1/1,  -)
$(call part, run-elementary,       -,    -,    1/1,  -)
$(call part, long-elementary,      -,    -,    -,    $(SLICE))
$(call part, run-fft,              -,    -,    1/1,  -)
$(call part, run-prepared,         -,    -,    1/1,  -)
$(call part, run-selfcheck,        -,    1/16, 1/3,  $(SLICE))
$(call part, run-threads,          -,    1/6,  1/1,  -)
$(call part, run-examples,         -,    1/1,  -,    -)
$(call part, run-language,         -,    1/4,  1/1,  -)
$(call part, run-embed,            -,    1/1,  -,    -)
$(call part, run-libfltc,          -,    1/1,  -,    -)
$(call part, run-install,          -,    1/1,  -,    -)
$(call part, run-interface,        -,    1/16, 1/6,  $(SLICE))
$(call part, run-python,           -,    1/1,  -,    -)
$(call part, run-faults,           -,    1/1,  -,    -)
$(call part, run-apr,              -,    1/1,  -,    -)
$(call part, run-tutorial,         -,    1/1,  -,    -)
$(call part, run-document,         -,    1/1,  -,    -)
$(call part, run-golden,           1/1,  1/1,  -,    -)
$(call part, run-emitted,          1/1,  1/1,  -,    -)
$(call part, run-lint,             -,    1/1,  -,    -)
$(call part, lint,                 1/1,  1/1,  -,    -)
$(call part, run-bench/compile,    -,    -,    1/1,  -)

# In front of the command of a part: counts it and its results, where a tier runs.
LOGS := $(BUILD)/logs/$(TIER)
PART = $(if $(TIER),env LOGS=$(LOGS) PARTS=$(words $(PARTS)) SHARE=$(SHARE_$@) FULL=$(if $(filter long,$(TIER)),1) bash tests/part.sh $@)
# What a part needs from a build folder of its own. A tier has made it before its parts begin, and a part that waits for it again
# begins behind all that need nothing.
OF_FOLDER = $(if $(and $(TIER),$(filter-out true,$(PART))),,$(1))
# The share of a number, for a share that is the first.
of_share = $$(($(1) * $(or $(SHARE_$@),1/1)))

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
FUZZ_PARTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fuzz/program/*.c tests/fuzz/stream/*.c tests/fuzz/check/*.c))
LIBFUZZERS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/libfuzzer/*.c))
$(FUZZ_PARTS) $(FUZZERS:=.o) $(LIBFUZZERS:=.o): CFLAGS_ALL += -Itests/fuzz
$(BUILD)/tests/fuzz/program/native.o: CFLAGS_ALL += -DEXTERNALS_FOLDER='"$(abspath tests/externals)"' \
    -DSIMULATOR_FOLDER='"$(abspath tests/simulator)"'
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(FUZZ_PARTS) $(BUILD)/libfltc.a
	@echo "  link $@"
	@$(CC) -rdynamic -o $@ $^ $(LDLIBS_ALL)
$(BUILD)/tests/prove/prove.o: CFLAGS_ALL += -Itests/fuzz
$(BUILD)/tests/prove/prove: $(BUILD)/tests/prove/prove.o $(FUZZ_PARTS) $(BUILD)/libfltc.a
	@echo "  link $@"
	@$(CC) -rdynamic -o $@ $^ $(LDLIBS_ALL)
run-prove: $(BUILD)/tests/prove/prove
# All of it: some 45 minutes on two cores.
prove: run-prove
$(BUILD)/tests/fuzz/mutate_particles: LDLIBS_ALL += -lcmocka
$(BUILD)/tests/fuzz/libfuzzer/%: $(BUILD)/tests/fuzz/libfuzzer/%.o $(filter $(BUILD)/tests/fuzz/check/%,$(FUZZ_PARTS)) $(BUILD)/libfltc.a
	@echo "  link $@"
	@$(CC) -fsanitize=fuzzer -o $@ $^ $(LDLIBS_ALL)

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
run-emit: $(BUILD)/tests/emit/check_promises $(BUILD)/tests/emit/same_bytes
run-cuda run-opencl: $(BUILD)/tests/emit/same_bytes

# Knows the library alone.
$(BUILD)/tests/libfltc/%: tests/libfltc/%.c $(BUILD)/libfltc.so.0
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< -L$(BUILD) -lfltc -lcmocka -lpthread $(LDFLAGS) -Wl,-rpath,$(abspath $(BUILD))
run-libfltc: $(BUILD)/tests/libfltc/libfltc

$(BUILD)/tests/names/%: tests/names/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a $(LDLIBS_ALL)
run-names: $(BUILD)/tests/names/reserved

$(BUILD)/tests/simulator/%: tests/simulator/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a $(LDLIBS_ALL)
run-simulator: $(BUILD)/tests/simulator/run_kernels

# What it loads makes terms in it.
TERMS_PARTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/terms/*.c))
$(TERMS_PARTS): CFLAGS_ALL += -Itests/terms
# Stacks of simulated threads lie in memory that has terms.
$(BUILD)/tests/terms/simulator.o: tests/simulator/simulator.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_ALL) -Dmalloc=memory_of_thread -include tests/terms/memory.h -MMD -MP -c -o $@ $<
$(BUILD)/tests/terms/prove_text: $(TERMS_PARTS) $(BUILD)/tests/terms/simulator.o $(BUILD)/libfltc.a
	@echo "  link $@"
	@$(CC) -rdynamic -o $@ $^ $(LDLIBS_ALL)
run-terms: $(BUILD)/tests/terms/prove_text

# The longest unit test is two processes.
HALVES = '$(1) of_forms' '$(1) -of_forms'
LONGEST_UNIT := $(BUILD)/tests/unit/interpret/test_realisations
unit: $(UNIT_TESTS)
	@$(PART) bash tests/unit/processes.sh $(call HALVES,$(LONGEST_UNIT)) $(filter-out $(LONGEST_UNIT),$(UNIT_TESTS))

# One kind of test: its script.
SCRIPTS := $(patsubst tests/%/run.sh,%,$(wildcard tests/*/run.sh tests/*/*/run.sh))
SCRIPT_TARGETS := $(SCRIPTS:%=run-%)
$(SCRIPT_TARGETS): run-%: $(BUILD)/fltc
	@$(PART) env -u MAKELEVEL MAKEFLAGS= BUILD=$(abspath $(BUILD)) bash tests/$*/run.sh
run-install run-install/programs run-packages: packages
run-emit run-simulator: $(BUILD)/libfltc.a
run-library run-bench run-interface: $(BUILD)/libfltparticles.a

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
run-quad: $(call OF_FOLDER,quad)
	@$(PART) bash tests/unit/processes.sh $(call HALVES,$(QUAD)/test_realisations) $(QUAD)/test_unbounded

# The fuzzers under AddressSanitizer and UndefinedBehaviorSanitizer, in a build folder of their own.
ASAN = $(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPTIMIZE=-O1 \
       SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined'
asan:
	@+$(ASAN) $(BUILD)/asan/fltc $(patsubst tests/fuzz/%.c,$(BUILD)/asan/tests/fuzz/%,$(wildcard tests/fuzz/*.c))

# What mutations are held to, by libFuzzer of clang, where it has that; under the same sanitizers, in a build folder of its own.
LIBFUZZER = $(MAKE) --no-print-directory BUILD=$(BUILD)/libfuzzer CC=clang OPTIMIZE=-O1 SWIFT=-O1 \
            SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined'
libfuzzer:
	@+if echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' | \
	    clang -fsanitize=fuzzer,address -fopenmp -x c -o /dev/null - 2> /dev/null; \
	  then $(LIBFUZZER) $(LIBFUZZERS:$(BUILD)/%=$(BUILD)/libfuzzer/%); else rm -rf $(BUILD)/libfuzzer; fi
run-fuzz/libfuzzer: $(call OF_FOLDER,libfuzzer) $(BUILD)/tests/fuzz/mutate_image $(BUILD)/tests/fuzz/mutate_particles

# What fuzzers have found; N programs; mutated texts and images.
N    ?= 60
SEED ?= 1
MUTATIONS ?= 4000
PROGRAMS := $(BUILD)/tests/fuzz/generate_program
fuzz-regressions: $(PROGRAMS)
	@$(PART) $(PROGRAMS) --regressions tests/fuzz/regressions
random-programs: $(PROGRAMS)
	@$(PART) $(PROGRAMS) --seed $(SEED) --count $(call of_share,$(N))
# Without a C compiler, by interpreters after passes: what was found, and N random programs of each kind.
interpreted-programs: $(PROGRAMS)
	@$(PART) sh -ec '$(PROGRAMS) --compiler none --regressions tests/fuzz/regressions; \
	  for kind in "" --particles --transforms --fixed-point; do \
	    $(PROGRAMS) --compiler none $$kind --seed $(SEED) --count $(call of_share,$(N)); done'
# The same of circuits, in Icarus Verilog.
CIRCUITS := $(BUILD)/tests/fuzz/generate_circuit
fuzz-circuits: $(CIRCUITS) $(BUILD)/fltc
	@$(PART) sh -ec '$(CIRCUITS) --regressions tests/fuzz/circuits; \
	  $(CIRCUITS) --seed $(SEED) --count $(call of_share,200)'
# Large files, of LibAPR; where they are there.
LIBAPR_FILES = $(wildcard ../shared/data/apr/*.apr)
MUTATE := $(BUILD)/asan/tests/fuzz/mutate
# Mutations from seed $(1) on, $(2) of each kind and $(3) of the large files.
mutations = $(MUTATE)_text $(1) $(2); $(MUTATE)_image $(1) $(2); $(MUTATE)_particles $(1) $(2); \
  $(if $(LIBAPR_FILES),$(MUTATE)_particles $(1) $(3) $(LIBAPR_FILES),echo "SKIPPED: no files of LibAPR in ../shared/data/apr")
fuzz-mutations: $(call OF_FOLDER,asan)
	@$(PART) sh -ec '$(MUTATE)_text --regressions tests/fuzz/regressions; \
	  $(call mutations,$(SEED),$(MUTATIONS),$$(($(MUTATIONS) / 20)))'

# ---- Long tests ----
long-elementary: $(BUILD)/tests/elementary/accuracy
	@$(PART) $< exhaustive $(SLICE)
# 4,880 random programs in all, 320 whose kernels are run by OpenCL, and 480 under the sanitizers; 96,000 mutations of texts and of each kind of image.
of_slices = $$(($(1) / $(SLICES)))
long-programs: $(PROGRAMS) $(call OF_FOLDER,asan)
	@$(PART) sh -ec 'SHARE= $(PROGRAMS) --regressions tests/fuzz/regressions_long; \
	  $(PROGRAMS) --seed $$((20000 + 10000 * $(SLICE_NUMBER))) --count $(call of_slices,4880); \
	  POCL_CACHE_DIR=$(abspath $(BUILD))/pocl $(PROGRAMS) --compiler opencl \
	    --seed $$((27000 + 10000 * $(SLICE_NUMBER))) --count $(call of_slices,320); \
	  $(BUILD)/asan/tests/fuzz/generate_program --compiler asan --no-shrink \
	    --seed $$((25000 + 10000 * $(SLICE_NUMBER))) --count $(call of_slices,480)'
# 16,000 programs for circuits; of those that stream every 80th in Verilator, too.
long-circuits: $(CIRCUITS) $(BUILD)/fltc
	@$(PART) env "OBJCACHE=bash $(abspath tests/circuit/keep_object.sh)" KEPT=$(abspath $(BUILD))/verilated $(CIRCUITS) --verilator 80 --seed $$((100000 + 100000 * $(SLICE_NUMBER))) --count $(call of_slices,16000)
long-mutations: $(call OF_FOLDER,asan)
	@$(PART) sh -ec '$(call mutations,$$((20000 + $(SLICE_NUMBER))),$(call of_slices,96000),$(call of_slices,12000))'

# ---- Coverage ----
# Branches that tests and random programs reach, counted in a build folder of its own (tests/coverage/coverage.sh). What
# parts of the tests only compile and run is left out.
COVERED := unit run-command run-golden run-diagnostics run-schedule run-simulator run-texts run-language run-examples \
           run-tutorial run-document
COVERAGE = $(MAKE) --no-print-directory BUILD=$(BUILD)/coverage OPTIMIZE=-O1 SANITIZE=--coverage
KEEPS_COUNTS = $(BUILD)/coverage/tests/coverage/exit.o
coverage:
	@+$(COVERAGE) $(KEEPS_COUNTS)
	@+$(COVERAGE) LDFLAGS='$(LDFLAGS) -Wl,--wrap=_exit' LDLIBS='$(abspath $(KEEPS_COUNTS)) $(LDLIBS)' count-branches
count-branches: $(BUILD)/fltc $(PROGRAMS) $(CIRCUITS)
	@+PARTS='$(COVERED)' BUILD=$(BUILD) MAKE='$(MAKE)' bash tests/coverage/coverage.sh $(COUNT)

# ---- Tiers ----
# All parts of the tier $(1), as many at once as jobs, though one fails: first what they need is made, with recipes that do nothing,
# so that they begin in the order of the table. A -j of the command line is kept.
tier = @rm -rf $(BUILD)/logs/$(1); mkdir -p $(BUILD)/logs/$(1); \
  bash tests/count.sh $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS)) -k TIER=$(1) tier
tier:
	-@+$(MAKE) --no-print-directory PART=true parts
	@+$(MAKE) --no-print-directory parts
parts: $(PARTS)
check:
	+$(call tier,check)
test: deps
	+$(call tier,test)
test-more: deps
	+$(call tier,more)
test-long: deps
	@echo '$(SLICE)' | awk -F/ '!/^[0-9]+\/[0-9]+$$/ || $$1 < 1 || $$1 > $$2 { exit 1 }' || \
	 { echo "SLICE is K/N, the Kth of N shares, as 3/16; not '$(SLICE)'" >&2; exit 1; }
	+$(call tier,long)
fuzz: deps
	@$(MAKE) --no-print-directory fuzz-regressions
	@$(MAKE) --no-print-directory random-programs N=$(if $(filter 60,$(N)),2000,$(N))
	@$(MAKE) --no-print-directory fuzz-mutations MUTATIONS=$(if $(filter 4000,$(MUTATIONS)),100000,$(MUTATIONS))
bench: run-bench
lint:
	@$(PART) bash tests/lint.sh

# What the compiler emits beside what it emitted at the revision BASE.
same-text: $(BUILD)/fltc
	@BUILD=$(abspath $(BUILD)) bash tests/same_text.sh

# Small wrong changes, COUNT of them, and which part of the tests finds each.
COUNT ?= 20
mutants:
	@env -u MAKELEVEL MAKEFLAGS= python3 tests/mutants.py --seed $(SEED) --count $(COUNT) --folder $(abspath $(BUILD))/mutants

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

# The last commit as a tarball, and Debian's packages of that.
dist:
	@bash packaging/dist.sh $(BUILD)
deb:
	@bash packaging/deb.sh $(BUILD)

help:
	@echo "make                build/fltc"
	@echo "make demo           five filters on a picture, into build/demo (IMAGE=file for your own)"
	@echo "make check          tests of two minutes;  make test: of six, before sending;  make test-more: the rest of them"
	@echo "make test-long      two to three hours more (SLICE=3/16: the third of sixteen shares)"
	@echo "make fuzz N=2000    random programs and mutated texts (SEED=, MUTATIONS=)"
	@echo "make bench          filters beside Halide and OpenCV, the compiler's own time;  make lint: rules on the sources"
	@echo "make coverage       branches that tests and random programs reach (LINES_OF=graph/passes: and which they do not)"
	@echo "make same-text BASE=REV  what is emitted, byte for byte with what an earlier revision emitted"
	@echo "make mutants        small wrong changes, and which part of the tests finds each (SEED=, COUNT=)"
	@echo "make update-golden  accept what the compiler does now as expected; read the difference"
	@echo "make install        PREFIX=/usr/local DESTDIR=;  make uninstall"
	@echo "make dist           build/fltc-$(VERSION).tar.gz;  make deb: Debian's packages, into build/deb"
	@echo "make deps           the Debian packages that fltc needs;  make clean"
update-golden: $(BUILD)/fltc
	@for k in golden emitted diagnostics command tutorial; do \
	  [ -f tests/$$k/run.sh ] && UPDATE=1 BUILD=$(abspath $(BUILD)) bash tests/$$k/run.sh; done; true

clean:
	rm -rf $(BUILD)
.PHONY: all clean unit asan quad libfuzzer fuzz-regressions random-programs fuzz-circuits fuzz-mutations long-elementary long-programs \
        long-circuits long-mutations coverage count-branches objects parts tier check test test-more test-long fuzz bench lint same-text deps dist deb demo prove \
        elementary-exhaustive elementary-speed demo-all help update-golden $(SCRIPT_TARGETS)
