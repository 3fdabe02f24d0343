/* What the samples of a TIFF become once they are read: white for black, colors without the alpha
 * that they were multiplied by, RGB from other colors. */
#include "image/tiff_page.h"

#include <math.h>
#include <string.h>

/* ---- White for black ---- */

#define INVERT(type, most)                                                                         \
    for (size_t i = 0; i < pixels; i++)                                                            \
        for (size_t c = 0; c < page->color_samples; c++) {                                         \
            type *const sample = (type *)samples + i * page->channels + c;                         \
            *sample = (type)((most) - *sample);                                                    \
        }
void tiff_invert(const struct tiff_page *page, void *samples, size_t pixels)
{
    if (page->element == FLT_U8) {
        INVERT(uint8_t, UINT8_MAX)
    } else if (page->element == FLT_U16) {
        INVERT(uint16_t, UINT16_MAX)
    } else if (page->element == FLT_U32) {
        INVERT(uint32_t, UINT32_MAX)
    }
}

/* ---- Alpha ---- */

/* color * most / alpha to nearest, at most `most`: up to 32 bits all fits into 64. */
static uint64_t whole_quotient(uint64_t color, uint64_t alpha, uint64_t most)
{
    const uint64_t whole = alpha > 0 ? (color * most + alpha / 2) / alpha : 0;
    return whole < most ? whole : most;
}

static double quotient(double color, double alpha)
{
    return alpha > 0 ? color / alpha : 0;
}

#define DIVIDE(type, divided)                                                                      \
    for (size_t i = 0; i < pixels; i++) {                                                          \
        type *const pixel = (type *)samples + i * page->channels;                                  \
        const type alpha = pixel[page->alpha_sample];                                              \
        for (size_t c = 0; c < page->color_samples; c++)                                           \
            pixel[c] = (type)(divided);                                                            \
    }
void tiff_divide_by_alpha(const struct tiff_page *page, void *samples, size_t pixels)
{
    switch (page->element) {
    case FLT_U8:
        DIVIDE(uint8_t, whole_quotient(pixel[c], alpha, UINT8_MAX))
        break;
    case FLT_U16:
        DIVIDE(uint16_t, whole_quotient(pixel[c], alpha, UINT16_MAX))
        break;
    case FLT_U32:
        DIVIDE(uint32_t, whole_quotient(pixel[c], alpha, UINT32_MAX))
        break;
    case FLT_F16:
        DIVIDE(uint16_t, flt_half_of_real(quotient((double)flt_float_of_half(pixel[c]),
                                                   (double)flt_float_of_half(alpha))))
        break;
    case FLT_F32:
        DIVIDE(float, quotient((double)pixel[c], (double)alpha))
        break;
    case FLT_F64:
        DIVIDE(double, quotient(pixel[c], alpha))
        break;
    case FLT_BOOL:
    case FLT_I8:
    case FLT_I16:
    case FLT_I32:
    case FLT_I64:
        break; /* tiff_understand_page refused */
    }
}

/* ---- Colors ---- */

struct lab {
    double lightness, a, b; /* 0 .. 100; 0 is grey */
};

/* Sample number at, of u8 or u16. */
static unsigned stored_at(const struct tiff_page *page, const void *samples, size_t at)
{
    return page->stored == FLT_U8 ? ((const uint8_t *)samples)[at]
                                  : ((const uint16_t *)samples)[at];
}

/* value: in units of the 8 bits of the formats, 0 .. 255 and a fraction. */
static double signed_of(double value)
{
    return value < 128 ? value : value - 256;
}

static struct lab lab_of(const struct tiff_page *page, const void *samples, size_t at)
{
    const bool wide = page->stored == FLT_U16, grey = page->color_samples == 1;
    const double unit = wide ? 256 : 1, most = wide ? 65535 : 255;
    const double l = stored_at(page, samples, at);
    const double a = grey ? 0 : stored_at(page, samples, at + 1),
                 b = grey ? 0 : stored_at(page, samples, at + 2);
    struct lab lab = {.lightness = l * 100 / most};
    if (page->colors == COLORS_ICCLAB && wide)
        lab.lightness = l * 100 / 65280;
    if (grey)
        return lab;
    if (page->colors == COLORS_ITULAB) {
        lab.a = (a / unit - 128) * 170 / 255;
        lab.b = (b / unit - 96) * 200 / 255;
    } else if (page->colors == COLORS_ICCLAB) {
        lab.a = a / unit - 128;
        lab.b = b / unit - 128;
    } else {
        lab.a = signed_of(a / unit);
        lab.b = signed_of(b / unit);
    }
    return lab;
}

/* Light to 0 .. 255 as sRGB codes it: IEC 61966-2-1. */
static uint8_t code_of(double light)
{
    const double code = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (uint8_t)(code <= 0 ? 0 : code >= 1 ? 255 : code * 255 + 0.5);
}

/* The inverse of the function f of CIE 15, 8.2.1.1. */
static double light_of(double f)
{
    return f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 3 * (6.0 / 29) * (6.0 / 29);
}

/* Lab is relative to its white, D50, which becomes that of sRGB, D65: by the matrix of sRGB adapted
 * by Bradford's (brucelindbloom.com), whose rows are written for differences from grey so that grey
 * stays grey to the last bit. */
static void convert_lab(const struct lab *lab, uint8_t *rgb)
{
    static const double matrix[3][2] = {
        {3.02172673, -0.40486007}, {-0.94374807, 0.02760657}, {0.06937110, 1.15962033}};
    const double f = (lab->lightness + 16) / 116;
    const double y = light_of(f);
    const double x = light_of(f + lab->a / 500) - y, z = light_of(f - lab->b / 200) - y;
    for (int i = 0; i < 3; i++)
        rgb[i] = code_of(y + matrix[i][0] * x + matrix[i][1] * z);
}

/* Inks on white: the plain formula, without a color profile. */
static void convert_inks(const struct tiff_page *page, const void *samples, size_t at, uint8_t *rgb)
{
    const uint64_t most = page->stored == FLT_U8 ? UINT8_MAX : UINT16_MAX;
    const uint64_t light = most - stored_at(page, samples, at + 3);
    for (size_t i = 0; i < 3; i++) {
        const uint64_t product = (most - stored_at(page, samples, at + i)) * light;
        rgb[i] = (uint8_t)((product * 255 + most * most / 2) / (most * most));
    }
}

static uint8_t u8_nearest(double value)
{
    return (uint8_t)(value <= 0 ? 0 : value >= 255 ? 255 : value + 0.5);
}

/* Source: TIFF 6.0, sections 20 and 21. */
static void convert_ycbcr(const struct tiff_page *page, const uint8_t *ycbcr, uint8_t *rgb)
{
    double part[3];
    for (int i = 0; i < 3; i++) {
        const double black = (double)page->reference[2 * i],
                     white = (double)page->reference[2 * i + 1];
        part[i] = (ycbcr[i] - black) * (i == 0 ? 255 : 127) / (white - black);
    }
    const double red = (double)page->luma[0], green = (double)page->luma[1],
                 blue = (double)page->luma[2];
    const double r = part[0] + part[2] * (2 - 2 * red), b = part[0] + part[1] * (2 - 2 * blue);
    rgb[0] = u8_nearest(r);
    rgb[1] = u8_nearest((part[0] - blue * b - red * r) / green);
    rgb[2] = u8_nearest(b);
}

/* X, Y and Z to light of the primaries of ITU-R BT.709. LogLuv's white is that of equal energy, as
 * in libtiff's own conversion (tif_luv.c). */
static void convert_xyz(const float *xyz, float *rgb)
{
    static const float matrix[3][3] = {
        {2.690F, -1.276F, -0.414F}, {-1.022F, 1.978F, 0.044F}, {0.061F, -0.224F, 1.163F}};
    for (int i = 0; i < 3; i++)
        rgb[i] = matrix[i][0] * xyz[0] + matrix[i][1] * xyz[1] + matrix[i][2] * xyz[2];
}

static uint8_t alpha_of(const struct tiff_page *page, const void *samples, size_t at)
{
    const unsigned alpha = stored_at(page, samples, at);
    return (uint8_t)(page->stored == FLT_U8 ? alpha : (alpha * 255 + 32767) / 65535);
}

void tiff_convert_colors(const struct tiff_page *page, const void *samples, size_t pixels,
                         void *out)
{
    for (size_t i = 0; i < pixels; i++) {
        const size_t at = i * page->samples;
        uint8_t *const pixel = (uint8_t *)out + i * page->channels;
        switch (page->colors) {
        case COLORS_CIELAB:
        case COLORS_ICCLAB:
        case COLORS_ITULAB: {
            const struct lab lab = lab_of(page, samples, at);
            convert_lab(&lab, pixel);
            break;
        }
        case COLORS_INKS:
            convert_inks(page, samples, at, pixel);
            break;
        case COLORS_YCBCR:
            convert_ycbcr(page, (const uint8_t *)samples + at, pixel);
            break;
        case COLORS_XYZ:
            convert_xyz((const float *)samples + at, (float *)out + i * page->channels);
            break;
        case COLORS_PLAIN:
            break;
        }
        if (page->colors != COLORS_XYZ && page->has_alpha)
            pixel[3] = alpha_of(page, samples, at + page->color_samples);
    }
}
