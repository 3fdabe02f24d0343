// The helpers of emitted text that are functions of the language, by their own names: rewrite.py
// takes their texts out of the file. Each makes the term that the language has for it.
#ifndef FLTC_TESTS_TERMS_FUNCTIONS_HPP
#define FLTC_TESTS_TERMS_FUNCTIONS_HPP

namespace terms
{

// At most the greatest value of 32 bits.
template <class A, class B> value<unsigned> saturating_sum(const A &a, const B &b)
{
    return fit<unsigned, long>("saturate", value<long>(a) + value<long>(b));
}

template <class A> value<float> half_to_float(const A &a)
{
    return both_of<float>(cpp_half_to_float(taken<unsigned short>(a).all()));
}

template <class A> value<unsigned short> half_of_double(const A &a)
{
    return both_of<unsigned short>(cpp_half_of_double(taken<double>(a).all()));
}

} // namespace terms

#define TERMS_FLOAT_FUNCTION(single, twice, name)                                                  \
    template <class... O> terms::value<float> terms_##single(const O &...operand)                  \
    {                                                                                              \
        return terms::function<float>(name, operand...);                                           \
    }                                                                                              \
    template <class... O> terms::value<double> terms_##twice(const O &...operand)                  \
    {                                                                                              \
        return terms::function<double>(name, operand...);                                          \
    }
TERMS_FLOAT_FUNCTION(fabsf, fabs, "abs")
TERMS_FLOAT_FUNCTION(sqrtf, sqrt, "sqrt")
TERMS_FLOAT_FUNCTION(floorf, floor, "floor")
TERMS_FLOAT_FUNCTION(ceilf, ceil, "ceil")
TERMS_FLOAT_FUNCTION(rintf, rint, "round")
TERMS_FLOAT_FUNCTION(truncf, trunc, "trunc")
TERMS_FLOAT_FUNCTION(fmaf, fma, "fma")
#define fabsf terms_fabsf
#define fabs terms_fabs
#define sqrtf terms_sqrtf
#define sqrt terms_sqrt
#define floorf terms_floorf
#define floor terms_floor
#define ceilf terms_ceilf
#define ceil terms_ceil
#define rintf terms_rintf
#define rint terms_rint
#define truncf terms_truncf
#define trunc terms_trunc
#define fmaf terms_fmaf
#define fma terms_fma

// A helper and its text: flt_NAME_TYPE is taken out of the file and is terms_helper_NAME_TYPE.
#define TERMS_HELPER(name, result, ...)                                                            \
    template <class... O> terms::value<result> terms_helper_##name(const O &...operand)            \
    {                                                                                              \
        return terms::__VA_ARGS__;                                                                 \
    }
#define TERMS_HELPER_OF_FLOATS(name, text)                                                         \
    TERMS_HELPER(name##_f32, float, function<float>(text, operand...))                             \
    TERMS_HELPER(name##_f64, double, function<double>(text, operand...))
#define ELEMENTARY(kind, name, arguments) TERMS_HELPER_OF_FLOATS(name, #name)
#include "../../compiler/elementary/elementary.def"
#undef ELEMENTARY
TERMS_HELPER_OF_FLOATS(negate, "negate")
TERMS_HELPER_OF_FLOATS(scale, "multiply")
TERMS_HELPER_OF_FLOATS(lesser, "lesser")
TERMS_HELPER_OF_FLOATS(greater, "greater")
TERMS_HELPER(order_f32, long, function<float, long>("order", operand...))
TERMS_HELPER(order_f64, long, function<double, long>("order", operand...))
TERMS_HELPER(noise_4, float, function<long, float>("noise", operand...))
TERMS_HELPER(noise_8, float, function<long, float>("noise", operand...))
TERMS_HELPER(abs_i32, int, function<int>("abs", operand...))
TERMS_HELPER(abs_i64, long, function<long>("abs", operand...))
TERMS_HELPER(saturating_sum_u32, unsigned, saturating_sum(operand...))
TERMS_HELPER(f32_of_f16, float, half_to_float(operand...))
TERMS_HELPER(f16_of_f64, unsigned short, half_of_double(operand...))
#define TERMS_HELPER_OF_INTEGERS(name, text)                                                       \
    TERMS_HELPER(name##_i32, int, function<int>(text, operand...))                                 \
    TERMS_HELPER(name##_i64, long, function<long>(text, operand...))
TERMS_HELPER_OF_INTEGERS(floor_divide, "divide")
TERMS_HELPER_OF_INTEGERS(floor_remainder, "remainder")
TERMS_HELPER_OF_INTEGERS(shift_left, "shift_left")
#define TERMS_FITS(type, c)                                                                        \
    TERMS_HELPER(type##_round_f32, c, fit<c, float>("round", operand...))                          \
    TERMS_HELPER(type##_round_f64, c, fit<c, double>("round", operand...))                         \
    TERMS_HELPER(type##_trunc_f32, c, fit<c, float>("trunc", operand...))                          \
    TERMS_HELPER(type##_trunc_f64, c, fit<c, double>("trunc", operand...))                         \
    TERMS_HELPER(type##_saturate_i32, c, fit<c, int>("saturate", operand...))                      \
    TERMS_HELPER(type##_saturate_i64, c, fit<c, long>("saturate", operand...))
TERMS_FITS(u8, unsigned char)
TERMS_FITS(i8, signed char)
TERMS_FITS(u16, unsigned short)
TERMS_FITS(i16, short)
TERMS_FITS(u32, unsigned)
TERMS_FITS(i32, int)
TERMS_FITS(i64, long)

// The same of lines of transforms.
#define TERMS_LINES(name, type)                                                                    \
    inline void terms_helper_##name##_lines_f##type(int norm, long length, const void *table,      \
                                                    void *panel)                                   \
    {                                                                                              \
        cpp_transform(#name, CPP_F##type, norm, length, table, panel);                             \
    }
#define TRANSFORM(kind, name, samples, inverse, times, more, table)                                \
    TERMS_LINES(name, 32)                                                                          \
    TERMS_LINES(name, 64)
#include "../../compiler/transform/transforms.def"
#undef TRANSFORM

#endif
