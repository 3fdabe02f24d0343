# What `make install` installs, and how it is made. PREFIX is where it will be; DESTDIR, put before it,
# where it is written now. LIBDIR, below PREFIX, is where libraries are: of some distributions lib64 or lib/x86_64-linux-gnu.
PREFIX  ?= /usr/local
LIBDIR  = lib

# Libraries of C: one object each, whose names are its own but for flt_...: those of a program may be the same.
OBJCOPY ?= objcopy
define one_object
@echo "  library $@"
@$(CC) -r -nostdlib -o $(@:.a=.whole.o) $^
@$(OBJCOPY) --wildcard --keep-global-symbol='flt_*' $(@:.a=.whole.o)
@rm -f $@
@$(AR) rcs $@ $(@:.a=.whole.o)
endef
# Names of what would be compiled when a program is linked could not be hidden.
$(BUILD)/runtime/%.o: CFLAGS_ALL += -fno-lto

$(BUILD)/libfltimage.a: $(patsubst %.c,$(BUILD)/%.o,$(filter-out runtime/particles/%,$(RUNTIME)))
	$(one_object)

# What filters with adaptive images call.
$(BUILD)/libfltparticles.a: $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/particles/*.c))
	$(one_object)

# Files of adaptive images; where Blosc is there. It has memory pools of its own.
PARTICLES_FILE_PACKAGES := blosc
HAS_PARTICLES_FILE := $(HAS_BLOSC)
$(BUILD)/libfltparticlesfile.a: $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/particles_file/*.c) runtime/particles/pool.c)
	$(one_object)
$(BUILD)/runtime/particles_file/%.o: CFLAGS_ALL += $(if $(HAS_BLOSC),$$(pkg-config --cflags $(PARTICLES_FILE_PACKAGES)),-DFLT_WITHOUT_BLOSC)

# Tables of libraries for filters of `fltc emit --fft given`; of those libraries that are there.
FFT_PACKAGES_fftw    := fftw3 fftw3f
FFT_PACKAGES_kissfft := kissfft-float
FFT_LIBRARIES := $(foreach l,fftw kissfft,$(if $(shell pkg-config --exists $(FFT_PACKAGES_$(l)) 2> /dev/null && echo y),$(l)))
$(BUILD)/libflt%.a: $(BUILD)/runtime/fft/%.o
	@rm -f $@
	@$(AR) rcs $@ $^
$(BUILD)/runtime/fft/%.o: CFLAGS += $$(pkg-config --cflags $(FFT_PACKAGES_$(*F)))
.SECONDARY: $(FFT_LIBRARIES:%=$(BUILD)/runtime/fft/%.o)

# Two programs that print the compiler's tables in other forms.
$(BUILD)/packaging/%: packaging/%.c
	@mkdir -p $(@D)
	@echo "  cc $<"
	@$(CC) $(CFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $<
$(BUILD)/packaging/fltc.1: $(BUILD)/packaging/manual
	@$< $(VERSION) > $@
$(BUILD)/packaging/flt.vim: $(BUILD)/packaging/syntax
	@$< vim > $@
$(BUILD)/packaging/flt.tmLanguage.json: $(BUILD)/packaging/syntax
	@$< textmate > $@
$(BUILD)/packaging/%: packaging/%.in packaging/install.mk VERSION FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@LIBDIR@|$(LIBDIR)|g' -e 's|@VERSION@|$(VERSION)|g' $< > $@
FORCE:

# mode, file, where it goes below PREFIX: a line each. link: a symbolic one, to what stands in place of a file.
define INSTALLED
755 $(BUILD)/fltc bin/fltc
644 $(BUILD)/libfltimage.a $(LIBDIR)/libfltimage.a
644 runtime/include/flt/image.h include/flt/image.h
644 runtime/include/flt/image_parts.h include/flt/image_parts.h
644 runtime/include/flt/status.h include/flt/status.h
644 runtime/include/flt/fft.h include/flt/fft.h
644 runtime/include/flt/filter.h include/flt/filter.h
644 $(BUILD)/libfltparticles.a $(LIBDIR)/libfltparticles.a
644 runtime/include/flt/particles.h include/flt/particles.h
644 runtime/include/flt/memory.h include/flt/memory.h
644 $(BUILD)/packaging/fltparticles.pc $(LIBDIR)/pkgconfig/fltparticles.pc
$(if $(HAS_PARTICLES_FILE),
644 $(BUILD)/libfltparticlesfile.a $(LIBDIR)/libfltparticlesfile.a
644 runtime/include/flt/particles_file.h include/flt/particles_file.h
644 $(BUILD)/packaging/fltparticlesfile.pc $(LIBDIR)/pkgconfig/fltparticlesfile.pc)
$(foreach l,$(FFT_LIBRARIES),
644 $(BUILD)/libflt$(l).a $(LIBDIR)/libflt$(l).a
644 runtime/include/flt/fft_$(l).h include/flt/fft_$(l).h
644 $(BUILD)/packaging/flt$(l).pc $(LIBDIR)/pkgconfig/flt$(l).pc)
755 $(BUILD)/libfltc.so.0 $(LIBDIR)/libfltc.so.0
link libfltc.so.0 $(LIBDIR)/libfltc.so
644 runtime/include/flt/compiler.h include/flt/compiler.h
644 $(BUILD)/packaging/libfltc.pc $(LIBDIR)/pkgconfig/libfltc.pc
644 $(BUILD)/packaging/fltc.pc $(LIBDIR)/pkgconfig/fltc.pc
644 $(BUILD)/packaging/fltimage.pc $(LIBDIR)/pkgconfig/fltimage.pc
644 $(BUILD)/packaging/fltc-config.cmake lib/cmake/fltc/fltc-config.cmake
644 $(BUILD)/packaging/fltc-config-version.cmake lib/cmake/fltc/fltc-config-version.cmake
644 LICENSE share/doc/fltc/LICENSE
644 $(BUILD)/packaging/fltc.1 share/man/man1/fltc.1
644 $(BUILD)/packaging/flt.vim share/vim/vimfiles/syntax/flt.vim
644 packaging/vim/ftdetect/flt.vim share/vim/vimfiles/ftdetect/flt.vim
644 packaging/vim/ftplugin/flt.vim share/vim/vimfiles/ftplugin/flt.vim
644 $(BUILD)/packaging/flt.tmLanguage.json share/fltc/vscode/flt.tmLanguage.json
644 $(BUILD)/packaging/vscode/package.json share/fltc/vscode/package.json
644 packaging/vscode/language-configuration.json share/fltc/vscode/language-configuration.json
endef
INSTALLED_WORDS := $(strip $(INSTALLED))
INSTALLED_FILES := $(filter $(BUILD)/%,$(INSTALLED_WORDS))

packages: $(INSTALLED_FILES)
install: $(INSTALLED_FILES)
	@set -- $(INSTALLED_WORDS); while [ $$# -gt 0 ]; do \
	  case $$1 in link) ln -sf $$2 '$(DESTDIR)$(PREFIX)'/$$3 ;; \
	    *) install -D -m $$1 $$2 '$(DESTDIR)$(PREFIX)'/$$3 ;; esac || exit 1; shift 3; done
	@echo "installed in $(DESTDIR)$(PREFIX)"
uninstall:
	@set -- $(INSTALLED_WORDS); while [ $$# -gt 0 ]; do \
	  rm -f '$(DESTDIR)$(PREFIX)'/$$3; shift 3; done
	@rmdir '$(DESTDIR)$(PREFIX)'/lib/cmake/fltc '$(DESTDIR)$(PREFIX)'/share/fltc/vscode \
	  '$(DESTDIR)$(PREFIX)'/share/fltc '$(DESTDIR)$(PREFIX)'/share/doc/fltc '$(DESTDIR)$(PREFIX)'/include/flt 2> /dev/null || true
.PHONY: FORCE packages install uninstall
