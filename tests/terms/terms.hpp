// Emitted C as C++ whose values carry terms. Included before an emitted file that rewrite.py has
// gone over: the names of the arithmetic types then mean classes of the same size, each a number;
// the term of a value is kept beside its address (calls.h). Operations are those of C: the operands
// are promoted, the number is computed as C does, and the term is made by the program that runs the
// text.
#ifndef FLTC_TESTS_TERMS_TERMS_HPP
#define FLTC_TESTS_TERMS_TERMS_HPP

#include "calls.h"

#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <utility>

// Memory of a device is memory that has terms, too.
#define malloc cpp_malloc
#define aligned_alloc cpp_aligned_alloc
#define calloc cpp_calloc
#define free cpp_free
#define memcpy cpp_memcpy
#define memmove cpp_memcpy
#define memset cpp_memset
#ifdef TERMS_OF_CUDA
#include "../simulator/cuda_runtime.h"
#endif

namespace terms
{

using plain_int = int;
using plain_float = float;
using plain_double = double;
using term = const expr *;

template <class V> constexpr cpp_type type_of()
{
    if constexpr (std::is_same_v<V, bool>)
        return CPP_BOOL;
    else if constexpr (std::is_same_v<V, float>)
        return CPP_F32;
    else if constexpr (std::is_same_v<V, double>)
        return CPP_F64;
    else if constexpr (sizeof(V) == 1)
        return std::is_signed_v<V> ? CPP_I8 : CPP_U8;
    else if constexpr (sizeof(V) == 2)
        return std::is_signed_v<V> ? CPP_I16 : CPP_U16;
    else if constexpr (sizeof(V) == 4)
        return std::is_signed_v<V> ? CPP_I32 : CPP_U32;
    else
        return std::is_signed_v<V> ? CPP_I64 : CPP_U64;
}

// ---- The shadow ----

inline void put_term(const void *at, size_t bytes, term t)
{
    const size_t place = (size_t)((const char *)at - cpp_memory.base);
    if (place >= cpp_memory.size)
        return;
    term *shadow = cpp_memory.shadow + place;
    shadow[0] = t;
    for (size_t i = 1; i < bytes; i++)
        shadow[i] = t ? CPP_REST : nullptr;
    // Of a wider value that stood there.
    for (size_t i = bytes; place + i < cpp_memory.size && shadow[i] == CPP_REST; i++)
        shadow[i] = CPP_UNWRITTEN;
}

inline void put_unwritten(const void *at, size_t bytes)
{
    const size_t place = (size_t)((const char *)at - cpp_memory.base);
    if (place >= cpp_memory.size)
        return;
    put_term(at, bytes, nullptr);
    for (size_t i = 0; i < bytes; i++)
        cpp_memory.shadow[place + i] = CPP_UNWRITTEN;
}

template <class V> inline term term_at(const void *at)
{
    const size_t place = (size_t)((const char *)at - cpp_memory.base);
    if (place >= cpp_memory.size)
        return nullptr;
    term *shadow = cpp_memory.shadow + place;
    const term first = shadow[0];
    if (first == CPP_UNWRITTEN)
        return cpp_unwritten(type_of<V>());
    bool whole = first != CPP_REST;
    for (size_t i = 1; i < sizeof(V); i++)
        whole = whole && shadow[i] == (first ? CPP_REST : nullptr);
    whole =
        whole && (!first || place + sizeof(V) >= cpp_memory.size || shadow[sizeof(V)] != CPP_REST);
    return whole ? first : cpp_punned(type_of<V>());
}

// ---- Values ----

template <class V> struct value;
template <class T> struct is_value : std::false_type {
};
template <class V> struct is_value<value<V>> : std::true_type {
};
template <class T> struct plain {
    using type = T;
};
template <class V> struct plain<value<V>> {
    using type = V;
};
template <class T> using plain_of = typename plain<std::decay_t<T>>::type;
template <class T>
constexpr bool is_number_v = std::is_arithmetic_v<plain_of<T>> || std::is_enum_v<plain_of<T>>;
template <class T> constexpr bool is_value_v = is_value<std::decay_t<T>>::value;
// What C computes in: the operands promoted, and converted to one type.
template <class A, class B> using common = decltype(plain_of<A>() + plain_of<B>());
template <class A> using promoted = decltype(+plain_of<A>());

template <class V> cpp_value given(V v, term t = nullptr)
{
    cpp_value all = {};
    if constexpr (std::is_same_v<V, float>)
        all.f32 = v;
    else if constexpr (std::is_same_v<V, double>)
        all.f64 = v;
    else
        all.integer = (int64_t)v;
    all.term = t;
    return all;
}

// A number and its term, as they are passed between operations.
template <class V> struct both {
    V v;
    term t; // NULL: known
    cpp_value all() const
    {
        return given(v, t);
    }
};

template <class V> both<V> both_of(const cpp_value &all)
{
    if constexpr (std::is_same_v<V, float>)
        return {all.f32, all.term};
    else if constexpr (std::is_same_v<V, double>)
        return {all.f64, all.term};
    else
        return {(V)all.integer, all.term};
}

template <class C, class A> both<C> taken(const A &a)
{
    if constexpr (is_value_v<A>) {
        using V = plain_of<A>;
        const term t = term_at<V>(&a);
        const C number = (C)a.v;
        return {number, t ? cpp_convert(type_of<V>(), type_of<C>(), given(a.v, t), given(number))
                          : nullptr};
    } else {
        return {(C)a, nullptr};
    }
}

template <class V> struct value {
    V v;

    constexpr value() : v()
    {
        if (!__builtin_is_constant_evaluated())
            put_unwritten(this, sizeof(V));
    }
    value(const value &other) : v(other.v)
    {
        put_term(this, sizeof(V), term_at<V>(&other));
    }
    template <class U, class = std::enable_if_t<!std::is_same_v<U, V>>> value(const value<U> &other)
    {
        set(taken<V>(other));
    }
    template <class U, std::enable_if_t<std::is_arithmetic_v<U> || std::is_enum_v<U>, int> = 0>
    constexpr value(U number) : v((V)number)
    {
        if (!__builtin_is_constant_evaluated())
            put_term(this, sizeof(V), nullptr);
    }
    value(const both<V> &b)
    {
        set(b);
    }
    value &operator=(const value &other)
    {
        set({other.v, term_at<V>(&other)});
        return *this;
    }
    void set(const both<V> &b)
    {
        v = b.v;
        put_term(this, sizeof(V), b.t);
    }
    // Where C needs a number: in an index, a condition, a size.
    operator V() const
    {
        const term t = term_at<V>(this);
        if (t)
            cpp_assume(t);
        return v;
    }
    value &operator++()
    {
        return *this = *this + 1;
    }
    value &operator--()
    {
        return *this = *this - 1;
    }
    value operator++(plain_int)
    {
        const value before = *this;
        *this = *this + 1;
        return before;
    }
    value operator--(plain_int)
    {
        const value before = *this;
        *this = *this - 1;
        return before;
    }
};

#define TERMS_IF_VALUES(A, B)                                                                      \
    class =                                                                                        \
        std::enable_if_t < (is_value_v<A> || is_value_v<B>)&&is_number_v<A> && is_number_v < B >>

// Of floats and integers, by C's own operator and the term's.
template <class C> both<C> made(cpp_operation name, const both<C> &l, const both<C> &r, C number)
{
    const bool known = !l.t && !r.t;
    return {number,
            known ? nullptr : cpp_binary(name, type_of<C>(), l.all(), r.all(), given(number))};
}
template <class C>
both<bool> compared(cpp_operation name, const both<C> &l, const both<C> &r, bool number)
{
    const bool known = !l.t && !r.t;
    return {number,
            known ? nullptr : cpp_binary(name, type_of<C>(), l.all(), r.all(), given(number))};
}

#define TERMS_ARITHMETIC(op, name)                                                                 \
    template <class A, class B, TERMS_IF_VALUES(A, B)>                                             \
    value<common<A, B>> operator op(const A &a, const B &b)                                        \
    {                                                                                              \
        using C = common<A, B>;                                                                    \
        const both<C> l = taken<C>(a), r = taken<C>(b);                                            \
        return made<C>(name, l, r, (C)(l.v op r.v));                                               \
    }                                                                                              \
    template <class A, class B, class = std::enable_if_t<is_number_v<B>>>                          \
    value<A> &operator op##=(value<A> &a, const B &b)                                              \
    {                                                                                              \
        return a = value<A>(a op b);                                                               \
    }
TERMS_ARITHMETIC(+, CPP_ADD)
TERMS_ARITHMETIC(-, CPP_SUBTRACT)
TERMS_ARITHMETIC(*, CPP_MULTIPLY)
TERMS_ARITHMETIC(/, CPP_DIVIDE)
TERMS_ARITHMETIC(%, CPP_REMAINDER)
TERMS_ARITHMETIC(&, CPP_AND)
TERMS_ARITHMETIC(|, CPP_OR)
TERMS_ARITHMETIC(^, CPP_XOR)

// The type is that of the left side.
#define TERMS_SHIFT(op, name)                                                                      \
    template <class A, class B, TERMS_IF_VALUES(A, B)>                                             \
    value<promoted<A>> operator op(const A &a, const B &b)                                         \
    {                                                                                              \
        using C = promoted<A>;                                                                     \
        const both<C> l = taken<C>(a), r = taken<C>(b);                                            \
        return made<C>(name, l, r, (C)(l.v op r.v));                                               \
    }                                                                                              \
    template <class A, class B, class = std::enable_if_t<is_number_v<B>>>                          \
    value<A> &operator op##=(value<A> &a, const B &b)                                              \
    {                                                                                              \
        return a = value<A>(a op b);                                                               \
    }
TERMS_SHIFT(<<, CPP_SHIFT_LEFT)
TERMS_SHIFT(>>, CPP_SHIFT_RIGHT)

// a > b is b < a: name is of the operands in the order first, second.
#define TERMS_COMPARISON(op, name, first, second)                                                  \
    template <class A, class B, TERMS_IF_VALUES(A, B)>                                             \
    value<bool> operator op(const A &a, const B &b)                                                \
    {                                                                                              \
        using C = common<A, B>;                                                                    \
        const both<C> l = taken<C>(a), r = taken<C>(b);                                            \
        return compared<C>(name, first, second, l.v op r.v);                                       \
    }
TERMS_COMPARISON(==, CPP_EQUAL, l, r)
TERMS_COMPARISON(!=, CPP_NOT_EQUAL, l, r)
TERMS_COMPARISON(<, CPP_LESS, l, r)
TERMS_COMPARISON(<=, CPP_LESS_EQUAL, l, r)
TERMS_COMPARISON(>, CPP_LESS, r, l)
TERMS_COMPARISON(>=, CPP_LESS_EQUAL, r, l)

template <class A> both<bool> truth(const A &a)
{
    if constexpr (is_value_v<A>) {
        return taken<bool>(a);
    } else {
        return {(bool)a, nullptr};
    }
}

template <class V> value<bool> operator!(const value<V> &a)
{
    const both<bool> b = truth(a);
    return both<bool>{!b.v, b.t ? cpp_not(b.all(), given(!b.v)) : nullptr};
}

template <class V> value<promoted<V>> operator-(const value<V> &a)
{
    using C = promoted<V>;
    const both<C> b = taken<C>(a);
    const C number = (C)-b.v;
    return both<C>{number, b.t ? cpp_negate(type_of<C>(), b.all(), given(number)) : nullptr};
}

template <class V> value<promoted<V>> operator~(const value<V> &a)
{
    using C = promoted<V>;
    const both<C> b = taken<C>(a);
    const C number = (C)~b.v;
    return both<C>{number,
                   b.t ? cpp_binary(CPP_XOR, type_of<C>(), b.all(), given((C)-1), given(number))
                       : nullptr};
}

// a && b, a || b, c ? a : b as rewrite.py writes them: what C would not compute is a function here,
// and it is not called where the condition is known.
template <class A, class B> auto conjunction(const A &a, const B &b)
{
    if constexpr (!is_value_v<A> && !is_value_v<decltype(b())>) {
        return (bool)a && (bool)b();
    } else {
        const both<bool> l = truth(a);
        if (!l.t && !l.v)
            return value<bool>(false);
        const both<bool> r = truth(b());
        if (!l.t)
            return value<bool>(r);
        return value<bool>(both<bool>{l.v && r.v, cpp_both(l.all(), r.all(), given(l.v && r.v))});
    }
}

template <class A, class B> auto disjunction(const A &a, const B &b)
{
    if constexpr (!is_value_v<A> && !is_value_v<decltype(b())>) {
        return (bool)a || (bool)b();
    } else {
        const both<bool> l = truth(a);
        if (!l.t && l.v)
            return value<bool>(true);
        const both<bool> r = truth(b());
        if (!l.t)
            return value<bool>(r);
        return value<bool>(both<bool>{l.v || r.v, cpp_either(l.all(), r.all(), given(l.v || r.v))});
    }
}

template <class C, class A, class B> auto choose(const C &c, const A &a, const B &b)
{
    using L = std::decay_t<decltype(a())>;
    using R = std::decay_t<decltype(b())>;
    if constexpr (is_number_v<L> && is_number_v<R>) {
        using V = std::conditional_t<std::is_same_v<plain_of<L>, plain_of<R>> &&
                                         std::is_same_v<plain_of<L>, bool>,
                                     bool, common<L, R>>;
        const both<bool> condition = truth(c);
        if (!condition.t)
            return condition.v ? value<V>(taken<V>(a())) : value<V>(taken<V>(b()));
        const both<V> l = taken<V>(a()), r = taken<V>(b());
        const V number = condition.v ? l.v : r.v;
        return value<V>(both<V>{
            number, cpp_choose(type_of<V>(), condition.all(), l.all(), r.all(), given(number))});
    } else {
        return (bool)c ? a() : b();
    }
}

// The number alone, by which the text goes.
template <class A> auto number(const A &a)
{
    return (plain_of<A>)a;
}

// ---- Functions of the language ----

// By name in expr.def; the numbers are those that the compiler computes.
template <class V, class R = V, class... O> value<R> function(const char *name, const O &...operand)
{
    const cpp_value all[] = {taken<V>(operand).all()...};
    return both_of<R>(cpp_function(name, type_of<V>(), sizeof...(O), all));
}

template <class To, class From, class A> value<To> fit(const char *how, const A &a)
{
    return both_of<To>(cpp_fit(how, type_of<From>(), type_of<To>(), taken<From>(a).all()));
}

// ---- Vectors ----

// So many values side by side, as gcc's vectors are.
template <class T, size_t N> struct lanes {
    T at[N];

    lanes() = default;
    template <class U, class = std::enable_if_t<std::is_arithmetic_v<U>>> lanes(U all)
    {
        for (size_t i = 0; i < N; i++)
            at[i] = T(all);
    }
    T &operator[](size_t i)
    {
        return at[i];
    }
    lanes &operator+=(const lanes &other)
    {
        for (size_t i = 0; i < N; i++)
            at[i] = T(at[i] + other.at[i]);
        return *this;
    }
};

template <class T, size_t N> lanes<T, N> operator+(lanes<T, N> a, const lanes<T, N> &b)
{
    return a += b;
}

template <class T, size_t N> lanes<T, N> operator+(lanes<T, N> a, const T &b)
{
    for (size_t i = 0; i < N; i++)
        a.at[i] = T(a.at[i] + b);
    return a;
}

// Of the lanes of both, those at the places.
template <class T, size_t N, class... I>
lanes<T, sizeof...(I)> shuffled(const lanes<T, N> &a, const lanes<T, N> &b, I... place)
{
    const size_t from[] = {(size_t)place...};
    lanes<T, sizeof...(I)> result;
    for (size_t i = 0; i < sizeof...(I); i++)
        result.at[i] = from[i] < N ? a.at[from[i]] : b.at[from[i] - N];
    return result;
}

// ---- Kernels of blocks of threads ----

// Of one thread after another: what they leave behind, whatever their order.
template <class V, class A> value<V> joined(value<V> *at, const A &other)
{
    const value<V> before = *at;
    *at = value<V>(other);
    return before;
}

} // namespace terms

#include "functions.hpp"
#ifdef TERMS_OF_OPENCL
#include "opencl.hpp"
#endif

#define atomicAdd(at, other) terms::joined(at, *(at) + (other))
#define atomicMin(at, other)                                                                       \
    terms::joined(at, terms::choose(                                                               \
                          *(at) < (other), [&] { return *(at); }, [&] { return other; }))
#define atomicMax(at, other)                                                                       \
    terms::joined(at, terms::choose(                                                               \
                          *(at) > (other), [&] { return *(at); }, [&] { return other; }))
// What a block of threads shares: anew for each block.
#define TERMS_SHARED(type, name, count)                                                            \
    type(&name)[count] = *(type(*)[count])cpp_shared(__LINE__, (count) * sizeof(type))

// ---- The names of the text ----

#define __builtin_shufflevector terms::shuffled

#define FLT_STREAM_BYTES cpp_stream_bytes()

#define int8_t terms::value<signed char>
#define uint8_t terms::value<unsigned char>
#define int16_t terms::value<short>
#define uint16_t terms::value<unsigned short>
#define int32_t terms::value<terms::plain_int>
#define uint32_t terms::value<unsigned>
#define int64_t terms::value<long>
#define uint64_t terms::value<unsigned long>
#define float terms::value<terms::plain_float>
#define double terms::value<terms::plain_double>
#define int terms::value<terms::plain_int>

#endif
