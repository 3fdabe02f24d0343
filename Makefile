# fltc: see `make help`. All output is in build/.
BUILD   ?= build
CC      ?= cc
BISON   ?= bison
FLEX    ?= flex

OPTIMIZE ?= -O2
# Contraction is off: the compiler computes with the language's own rounding.
CFLAGS_ALL = -std=gnu11 -D_GNU_SOURCE $(OPTIMIZE) -g -ffp-contract=off \
             -Wall -Wextra -Wshadow -Werror=switch -Wstrict-prototypes -Wmissing-prototypes \
             -Wconversion $(WERROR) -Icompiler -Igrammar -Iruntime/include -Iruntime -I$(BUILD) $(SANITIZE) $(CFLAGS)
LDLIBS_ALL = -lpng -lm -ldl -lpthread $(SANITIZE) $(LDLIBS)

SOURCES   := $(filter-out compiler/main.c,$(wildcard compiler/*.c compiler/*/*.c compiler/*/passes/*.c))
RUNTIME   := $(wildcard runtime/*.c runtime/*/*.c)
GENERATED := $(BUILD)/parser.tab.c $(BUILD)/lexer.yy.c $(BUILD)/library.c $(BUILD)/explain.c
OBJECTS   := $(SOURCES:%.c=$(BUILD)/%.o) $(RUNTIME:%.c=$(BUILD)/%.o) $(GENERATED:.c=.o)

.DELETE_ON_ERROR:
all: $(BUILD)/fltc

$(BUILD)/fltc: $(BUILD)/compiler/main.o $(BUILD)/libfltc.a
	@echo "  link $@"
	@$(CC) -o $@ $^ $(LDLIBS_ALL)

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
# Texts embedded in the compiler: the standard library, the pages of `fltc explain`.
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

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<
# Generated code is compiled with flags of its own.
$(GENERATED:.c=.o): $(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/parser.tab.h
	@echo "  cc $<"
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(OPTIMIZE) -g -Icompiler -Igrammar -I$(BUILD) $(SANITIZE) -MMD -MP -c -o $@ $<
$(BUILD)/compiler/frontend/parse.o: $(BUILD)/parser.tab.h $(BUILD)/lexer.yy.h

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- Tests ----
# tests/unit/**/test_*.c: one CMocka program each. tests/<kind>/run.sh: one kind of test each; a script
# gets BUILD in the environment and exits with 0 when all is well.
UNIT_SOURCES := $(shell find tests/unit -name 'test_*.c' | sort)
UNIT_TESTS   := $(UNIT_SOURCES:%.c=$(BUILD)/%)
FUZZERS      := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/*.c))

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  test $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a -lcmocka $(LDLIBS_ALL)
$(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(BUILD)/libfltc.a
	@mkdir -p $(@D)
	@echo "  fuzz $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libfltc.a $(LDLIBS_ALL)

unit: $(UNIT_TESTS)
	@for t in $(UNIT_TESTS); do $$t 2>&1 || exit 1; done

clean:
	rm -rf $(BUILD)
.PHONY: all clean unit
