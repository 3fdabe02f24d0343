/* Kernels in an ELF file of a device: a function each, of 16 bytes an instruction; in `.nv.info`
 * entries of {4, attribute, bytes, number of the symbol, value}. */
#include "command/machine_code.h"

#include "command/compile.h"
#include "emit/emit.h"

#include <elf.h>

enum { REGISTERS = 0x2f, FRAME = 0x11, HAS_VALUE = 4, INSTRUCTION_BYTES = 16 };

struct elf {
    const char *bytes;
    size_t length;
    Elf64_Ehdr head;
};

/* Copies from the file; false: it is shorter. */
static bool take(const struct elf *elf, uint64_t at, void *to, size_t size)
{
    if (at > elf->length || size > elf->length - at)
        return false;
    memcpy(to, elf->bytes + at, size);
    return true;
}

static bool take_section(const struct elf *elf, unsigned i, Elf64_Shdr *section)
{
    return i < elf->head.e_shnum &&
           take(elf, elf->head.e_shoff + (uint64_t)i * sizeof *section, section, sizeof *section);
}

/* A name in a section of names; "": there is none. */
static const char *name_at(const struct elf *elf, unsigned names, uint64_t at)
{
    Elf64_Shdr section;
    if (!take_section(elf, names, &section) || at >= section.sh_size ||
        section.sh_offset >= elf->length || section.sh_size > elf->length - section.sh_offset)
        return "";
    const char *name = elf->bytes + section.sh_offset + at;
    return memchr(name, 0, section.sh_size - at) ? name : "";
}

static const char *section_name(const struct elf *elf, const Elf64_Shdr *section)
{
    return name_at(elf, elf->head.e_shstrndx, section->sh_name);
}

/* Adds to the code what entries say of the symbol. */
static void read_notes(const struct elf *elf, const Elf64_Shdr *info, uint32_t symbol,
                       struct kernel_code *code)
{
    struct {
        uint8_t form, attribute;
        uint16_t bytes;
        uint32_t symbol, value;
    } entry;
    for (uint64_t at = 0; at + 4 <= info->sh_size;) {
        if (!take(elf, info->sh_offset + at, &entry, 4))
            return;
        const uint64_t size = entry.form == HAS_VALUE ? 4 + (uint64_t)entry.bytes : 4;
        if (size == sizeof entry && take(elf, info->sh_offset + at, &entry, sizeof entry) &&
            entry.symbol == symbol) {
            if (entry.attribute == REGISTERS)
                code->registers = entry.value;
            if (entry.attribute == FRAME)
                code->frame = entry.value;
        }
        at += size;
    }
}

/* _Z11unsharp_outIiE…: the function of that name, of coordinates of type i or l. */
static bool is_kernel(struct arena *arena, const char *symbol, const char *name, char type)
{
    const char *begin = arena_format(arena, "_Z%zu%sI%cE", strlen(name), name, type);
    return strncmp(symbol, begin, strlen(begin)) == 0;
}

static bool read_kernel(struct arena *arena, const struct elf *elf, const char *name, char type,
                        struct kernel_code *code)
{
    Elf64_Shdr section, symbols = {0}, info = {0};
    for (unsigned i = 0; take_section(elf, i, &section); i++) {
        if (section.sh_type == SHT_SYMTAB)
            symbols = section;
        else if (strcmp(section_name(elf, &section), ".nv.info") == 0)
            info = section;
    }
    Elf64_Sym symbol;
    for (uint32_t i = 0; (uint64_t)i * sizeof symbol < symbols.sh_size &&
                         take(elf, symbols.sh_offset + i * sizeof symbol, &symbol, sizeof symbol);
         i++)
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
            is_kernel(arena, name_at(elf, symbols.sh_link, symbol.st_name), name, type)) {
            code->instructions = (unsigned)(symbol.st_size / INSTRUCTION_BYTES);
            read_notes(elf, &info, i, code);
            return code->registers > 0;
        }
    return false;
}

/* The names of functions that begin a line of their own behind their bounds, in their order. */
static const char *next_kernel(struct arena *arena, const char **text)
{
    static const char mark[] = "__launch_bounds__(";
    const char *at = strstr(*text, mark), *name = at ? strchr(at, ')') : NULL;
    if (!name)
        return NULL;
    name += strspn(name, ") ");
    *text = name;
    return arena_text(arena, name, strcspn(name, "("));
}

struct machine_code machine_code_of(struct session *session, const struct program *program,
                                    const struct target *target)
{
    struct arena *arena = session->permanent;
    struct machine_code code = {0};
    const struct target_compiler *compiler = target->compiler;
    VECTOR(const char *) flags = {0};
    if (!compiler || !compiler->code_flags)
        return code;
    for (const char *const *flag = compiler->code_flags; *flag; flag++)
        VECTOR_PUSH(arena, &flags, *flag);
    VECTOR_PUSH(arena, &flags,
                arena_format(arena, "-arch=%s", target_machine(target)->architecture));
    VECTOR_PUSH(arena, &flags, NULL);
    const struct emit_options options = {.stem = "filter"};
    const struct emitted emitted = emit_program(session, program, target, &options);
    struct text object = text_create(arena);
    struct elf elf;
    if (!compile_object(session, &emitted, compiler, flags.item, &object))
        return code;
    elf.bytes = object.bytes;
    elf.length = object.length;
    const char *text = emitted.files.item[0].text, *name;
    if (!take(&elf, 0, &elf.head, sizeof elf.head) ||
        memcmp(elf.head.e_ident, ELFMAG, SELFMAG) != 0 || elf.head.e_ident[EI_CLASS] != ELFCLASS64)
        return code;
    while ((name = next_kernel(arena, &text))) {
        struct kernel_code own = {0};
        if (!read_kernel(arena, &elf, name, 'i', &own) &&
            !read_kernel(arena, &elf, name, 'l', &own))
            break;
        VECTOR_PUSH(arena, &code.kernels, own);
    }
    return code;
}
