#include "analysis/motion.h"

#include "expr/affine.h"

/* Longer ones are of no use to those who cut images. */
enum { MOST_PERIOD = 1 << 20 };

static const struct motion still = {true, 1, 0};
static const struct motion unknown = {false, 1, 0};

static struct motion with_period(struct motion m, int64_t times)
{
    const int64_t most = INT64_MAX / MOST_PERIOD / 2;
    const bool fits =
        m.known && times <= MOST_PERIOD / m.period && m.distance < most && m.distance > -most;
    return fits ? (struct motion){true, m.period * times, m.distance * times} : unknown;
}

struct motion motion_sum(struct motion a, struct motion b, int64_t sign)
{
    const int64_t divisor = greatest_divisor(a.period, b.period);
    const struct motion one = with_period(a, b.period / divisor),
                        other = with_period(b, a.period / divisor);
    return one.known && other.known
               ? (struct motion){true, one.period, one.distance + sign * other.distance}
               : unknown;
}

static struct motion times(struct motion m, const struct expr *factor)
{
    enum { MOST_FACTOR = 1 << 16 };
    const bool fits = m.known && factor->kind == EXPR_INTEGER && factor->as.integer < MOST_FACTOR &&
                      factor->as.integer > -MOST_FACTOR;
    return fits ? (struct motion){true, m.period, m.distance * factor->as.integer} : unknown;
}

static struct motion quotient(struct motion m, const struct expr *by)
{
    if (by->kind != EXPR_INTEGER || by->as.integer < 1)
        return unknown;
    const int64_t divisor = by->as.integer, distance = m.distance < 0 ? -m.distance : m.distance;
    const struct motion whole = with_period(m, divisor / greatest_divisor(distance, divisor));
    return whole.known ? (struct motion){true, whole.period, whole.distance / divisor} : unknown;
}

/* The lesser or greater of two that move alike; of one that stays and one that moves nothing is
 * known. */
static struct motion either(struct motion a, struct motion b)
{
    const struct motion difference = motion_sum(a, b, -1);
    return difference.known && difference.distance == 0
               ? with_period(a, difference.period / a.period)
               : unknown;
}

static bool is_still(struct motion m)
{
    return m.known && m.distance == 0 && m.period == 1;
}

struct motion motion_of(struct arena *scratch, const struct expr *value,
                        const struct expr *variable)
{
    if (value == variable)
        return (struct motion){true, 1, 1};
    if (value->count == 0 || !expr_contains(scratch, value, variable))
        return still;
    const struct expr *const *of = value->operand;
    if (value->kind == EXPR_CONVERT)
        return motion_of(scratch, of[0], variable);
    if (value->count != 2)
        return unknown;
    const struct motion a = motion_of(scratch, of[0], variable),
                        b = motion_of(scratch, of[1], variable);
    switch ((int)value->kind) {
    case EXPR_ADD:
        return motion_sum(a, b, 1);
    case EXPR_SUBTRACT:
        return motion_sum(a, b, -1);
    case EXPR_MULTIPLY:
        return is_still(b) ? times(a, of[1]) : is_still(a) ? times(b, of[0]) : unknown;
    case EXPR_DIVIDE:
        return is_still(b) ? quotient(a, of[1]) : unknown;
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
        return either(a, b);
    default:
        return unknown;
    }
}
