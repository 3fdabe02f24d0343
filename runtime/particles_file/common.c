/* What reading and writing share: messages, names, types of elements. */
#include "particles_file/internal.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Messages ---- */

static void tell(struct flt_detail *detail, const char *format, va_list arguments)
{
    if (!detail)
        return;
    vsnprintf(detail->text, sizeof detail->text, format, arguments);
    for (char *c = detail->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

enum flt_status apr_file_fail(enum flt_status status, struct flt_detail *detail, const char *format,
                              ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(detail, format, arguments);
    va_end(arguments);
    return status;
}

bool apr_reader_fail(struct apr_reader *r, enum flt_status status, const char *format, ...)
{
    if (r->status != FLT_OK)
        return false;
    va_list arguments;
    va_start(arguments, format);
    tell(r->detail, format, arguments);
    va_end(arguments);
    r->status = status;
    return false;
}

struct apr_quiet apr_be_quiet(void)
{
    struct apr_quiet quiet = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void apr_be_as_before(struct apr_quiet quiet)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.data);
}

/* ---- Names ---- */

bool apr_name_is_right(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length < FLT_APR_NAME && !strchr(name, '/') && strcmp(name, ".") != 0;
}

bool apr_name_is_taken(const char *name)
{
    static const char *const taken[] = {
        "y_vec",           "xz_end_vec",  "map_level", "map_x", "map_z", "map_global_index",
        "map_number_gaps", "map_y_begin", "map_y_end", "Tree"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return true;
    return false;
}

/* ---- Types ---- */

static const struct element_type {
    enum flt_element element;
    size_t bytes;
    bool is_signed, is_real;
} element_types[] = {
    {FLT_U8, 1, false, false}, {FLT_I8, 1, true, false},   {FLT_U16, 2, false, false},
    {FLT_I16, 2, true, false}, {FLT_U32, 4, false, false}, {FLT_I32, 4, true, false},
    {FLT_I64, 8, true, false}, {FLT_F32, 4, true, true},   {FLT_F64, 8, true, true}};
enum { ELEMENT_TYPES = sizeof element_types / sizeof element_types[0] };

bool apr_element_of(const struct apr_type *type, enum flt_element *element)
{
    for (int i = 0; i < ELEMENT_TYPES; i++)
        if (element_types[i].bytes == type->bytes &&
            element_types[i].is_signed == type->is_signed &&
            element_types[i].is_real == type->is_real) {
            *element = element_types[i].element;
            return true;
        }
    return false;
}

size_t apr_element_bytes(enum flt_element element)
{
    for (int i = 0; i < ELEMENT_TYPES; i++)
        if (element_types[i].element == element)
            return element_types[i].bytes;
    return 0;
}

/* HDF5's name of such a type. */
static hid_t standard_type(const struct apr_type *t)
{
    if (t->is_real)
        return t->bytes == 4   ? (t->big_endian ? H5T_IEEE_F32BE : H5T_IEEE_F32LE)
               : t->bytes == 8 ? (t->big_endian ? H5T_IEEE_F64BE : H5T_IEEE_F64LE)
                               : H5I_INVALID_HID;
    switch (t->bytes) {
    case 1:
        return t->is_signed ? (t->big_endian ? H5T_STD_I8BE : H5T_STD_I8LE)
                            : (t->big_endian ? H5T_STD_U8BE : H5T_STD_U8LE);
    case 2:
        return t->is_signed ? (t->big_endian ? H5T_STD_I16BE : H5T_STD_I16LE)
                            : (t->big_endian ? H5T_STD_U16BE : H5T_STD_U16LE);
    case 4:
        return t->is_signed ? (t->big_endian ? H5T_STD_I32BE : H5T_STD_I32LE)
                            : (t->big_endian ? H5T_STD_U32BE : H5T_STD_U32LE);
    case 8:
        return t->is_signed ? (t->big_endian ? H5T_STD_I64BE : H5T_STD_I64LE)
                            : (t->big_endian ? H5T_STD_U64BE : H5T_STD_U64LE);
    default:
        return H5I_INVALID_HID;
    }
}

bool apr_type_of(hid_t type, struct apr_type *out)
{
    const H5T_class_t class = H5Tget_class(type);
    if (class != H5T_INTEGER && class != H5T_FLOAT)
        return false;
    *out = (struct apr_type){.bytes = H5Tget_size(type), .is_real = class == H5T_FLOAT};
    out->is_signed = out->is_real || H5Tget_sign(type) == H5T_SGN_2;
    out->big_endian = H5Tget_order(type) == H5T_ORDER_BE;
    const hid_t standard = standard_type(out);
    return standard >= 0 && H5Tequal(type, standard) > 0;
}

hid_t apr_stored_type(enum flt_element element)
{
    for (int i = 0; i < ELEMENT_TYPES; i++)
        if (element_types[i].element == element)
            return standard_type(&(struct apr_type){element_types[i].bytes,
                                                    element_types[i].is_signed,
                                                    element_types[i].is_real, false});
    return H5I_INVALID_HID;
}
