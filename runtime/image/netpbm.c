/* Reading the text of Netpbm headers. */
#include "image/netpbm.h"

int netpbm_peek(const struct netpbm_text *text)
{
    return text->at < text->file->length ? text->file->bytes[text->at] : -1;
}

static bool is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

void netpbm_skip_space(struct netpbm_text *text)
{
    while (is_space(netpbm_peek(text)) || netpbm_peek(text) == '#') {
        if (netpbm_peek(text) == '#')
            while (netpbm_peek(text) >= 0 && netpbm_peek(text) != '\n')
                text->at++;
        else
            text->at++;
    }
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

bool netpbm_number(struct netpbm_text *text, uint64_t *value)
{
    netpbm_skip_space(text);
    if (!is_digit(netpbm_peek(text)))
        return false;
    *value = 0;
    for (; is_digit(netpbm_peek(text)); text->at++) {
        *value = 10 * *value + (uint64_t)(netpbm_peek(text) - '0');
        if (*value > UINT32_MAX)
            return false;
    }
    return true;
}

bool netpbm_one_space(struct netpbm_text *text)
{
    if (!is_space(netpbm_peek(text)))
        return false;
    text->at++;
    return true;
}

size_t netpbm_bytes_left(const struct netpbm_text *text)
{
    return text->file->length - text->at;
}

bool netpbm_has_header(const struct file_bytes *file, bool is_all)
{
    const size_t longest = 65536;
    return is_all || file->length >= longest;
}

enum flt_status netpbm_bad_header(const struct file_bytes *file, struct flt_detail *detail)
{
    return flt_fail(FLT_CORRUPT, detail, "%s has a damaged header", flt_short_name(file->name));
}
