/* Well-formedness as in table 3-7 of the Unicode standard. */
#include "support/utf8.h"

uint32_t utf8_decode(const char *text, size_t length, size_t *bytes)
{
    static const struct {
        uint8_t mask, lead;
        uint32_t least; /* a smaller code point has a shorter form */
    } form[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const uint8_t first = (uint8_t)text[0];
    *bytes = 1;
    for (size_t more = 0; more < 4 && more < length; more++) {
        if ((first & form[more].mask) != form[more].lead)
            continue;
        uint32_t code_point = first & (uint8_t)~form[more].mask;
        for (size_t i = 1; i <= more; i++) {
            const uint8_t next = (uint8_t)text[i];
            if ((next & 0xC0) != 0x80)
                return UTF8_REPLACEMENT;
            code_point = code_point << 6 | (next & 0x3F);
        }
        const int surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
        if (code_point < form[more].least || surrogate || code_point > 0x10FFFF)
            return UTF8_REPLACEMENT;
        *bytes = more + 1;
        return code_point;
    }
    return UTF8_REPLACEMENT;
}

unsigned utf8_columns(uint32_t code_point)
{
    static const struct {
        uint32_t first, last;
        unsigned columns;
    } block[] = {
        {0x0300, 0x036F, 0},   /* combining diacritical marks */
        {0x0483, 0x0489, 0},   /* Cyrillic */
        {0x0591, 0x05BD, 0},   /* Hebrew points */
        {0x064B, 0x065F, 0},   /* Arabic points */
        {0x1100, 0x115F, 2},   /* Hangul Jamo, leading consonants */
        {0x1AB0, 0x1AFF, 0},   /* combining marks, extended */
        {0x1DC0, 0x1DFF, 0},   /* combining marks, supplement */
        {0x200B, 0x200D, 0},   /* zero-width space and joiners */
        {0x20D0, 0x20FF, 0},   /* combining marks for symbols */
        {0x2E80, 0x303E, 2},   /* CJK radicals, punctuation */
        {0x3041, 0x3098, 2},   /* Hiragana */
        {0x3099, 0x309A, 0},   /* combining voiced sound marks */
        {0x309B, 0xA4CF, 2},   /* Kana, CJK ideographs, Yi */
        {0xAC00, 0xD7A3, 2},   /* Hangul syllables */
        {0xF900, 0xFAFF, 2},   /* CJK compatibility ideographs */
        {0xFE00, 0xFE0F, 0},   /* variation selectors */
        {0xFE20, 0xFE2F, 0},   /* combining half marks */
        {0xFE30, 0xFE6F, 2},   /* CJK compatibility forms */
        {0xFF00, 0xFF60, 2},   /* full-width forms */
        {0xFFE0, 0xFFE6, 2},   /* full-width signs */
        {0x1F300, 0x1F64F, 2}, /* pictographs, emoticons */
        {0x1F680, 0x1F6FF, 2}, /* transport */
        {0x1F900, 0x1F9FF, 2}, /* pictographs, supplement */
        {0x20000, 0x3FFFD, 2}, /* CJK ideographs, extensions */
        {0xE0100, 0xE01EF, 0}, /* variation selectors, supplement */
    };
    for (size_t i = 0; i < sizeof block / sizeof block[0] && code_point >= block[i].first; i++)
        if (code_point <= block[i].last)
            return block[i].columns;
    return 1;
}
