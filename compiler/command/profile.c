/* The table of --profile. */
#include "command/profile.h"

#include <stdio.h>
#include <time.h>

double profile_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct profile_row *row_of(struct profile *p, const char *name)
{
    size_t i = 0;
    while (i < p->stages.count && strcmp(p->stages.item[i].name, name) != 0)
        i++;
    if (i == p->stages.count)
        VECTOR_PUSH(p->arena, &p->stages,
                    (struct profile_row){.name = arena_format(p->arena, "%s", name)});
    return &p->stages.item[i];
}

void profile_add(struct profile *p, const char *name, double seconds, double bytes)
{
    struct profile_row *row = row_of(p, name);
    row->seconds += seconds;
    row->bytes += bytes;
}

void profile_add_within(struct profile *p, const char *name, const char *within)
{
    row_of(p, name)->within = within;
}

enum { CELL = 32 };

/* Three digits or a little more, in the unit that suits. */
static const char *in_units(double value, double step, const char *const unit[], char cell[CELL])
{
    size_t i = 0;
    while (value >= step && unit[i + 1]) {
        value /= step;
        i++;
    }
    snprintf(cell, CELL, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, unit[i]);
    return cell;
}

static const char *time_text(double seconds, char cell[CELL])
{
    static const char *const units[] = {"us", "ms", "s", NULL};
    return in_units(seconds * 1e6, 1000, units, cell);
}

static const char *bytes_text(double bytes, char cell[CELL])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};
    if (bytes < 0)
        return "-";
    if (bytes >= 1024)
        return in_units(bytes, 1024, units, cell);
    snprintf(cell, CELL, "%.0f B", bytes);
    return cell;
}

static void print_around(const char *what, double seconds)
{
    char cell[CELL];
    fprintf(stderr, "  %-24s %10s\n", what, time_text(seconds, cell));
}

static void print_row(const struct profile_row *row, double all)
{
    char time[CELL], bytes[CELL];
    if (row->within) {
        fprintf(stderr, "  %-24s in tiles of %s\n", row->name, row->within);
        return;
    }
    fprintf(stderr, "  %-24s %10s %5.1f %% %12s\n", row->name, time_text(row->seconds, time),
            all > 0 ? 100 * row->seconds / all : 0, bytes_text(row->bytes, bytes));
}

void profile_add_particles(struct profile *p, const char *name, double count, double pixels)
{
    size_t i = 0;
    while (i < p->particles.count && strcmp(p->particles.item[i].name, name) != 0)
        i++;
    if (i == p->particles.count)
        VECTOR_PUSH(p->arena, &p->particles, (struct profile_particles){.name = name});
    p->particles.item[i] = (struct profile_particles){name, count, pixels};
}

enum { MOST_ROWS = 12 }; /* beyond that, stages of less than a 2000th of the time are summed up */

void profile_print(const struct profile *p, const char *filter)
{
    double all = 0;
    for (size_t i = 0; i < p->stages.count; i++)
        all += p->stages.item[i].seconds;
    fprintf(stderr, "%s:\n  %-24s %10s %7s %12s\n", filter, "stage", "time", "share", "stored");
    struct profile_row others = {0};
    size_t other_count = 0;
    for (size_t i = 0; i < p->stages.count; i++) {
        const struct profile_row *row = &p->stages.item[i];
        if (p->stages.count > MOST_ROWS && !row->within && row->seconds < 0.0005 * all) {
            others.seconds += row->seconds;
            others.bytes += row->bytes > 0 ? row->bytes : 0;
            other_count++;
        } else {
            print_row(row, all);
        }
    }
    if (other_count > 0) {
        char name[CELL];
        snprintf(name, sizeof name, "%zu short ones", other_count);
        others.name = name;
        print_row(&others, all);
    }
    for (size_t i = 0; i < p->particles.count; i++) {
        const struct profile_particles *particles = &p->particles.item[i];
        fprintf(stderr, "  %-24s %.0f particles for %.0f pixels, %.1f times fewer\n",
                particles->name, particles->count, particles->pixels,
                particles->pixels / particles->count);
    }
    print_around("all stages", all);
    print_around("copies and checks", p->running > all ? p->running - all : 0);
    print_around("reading files", p->reading);
    print_around("compiling", p->compiling);
    print_around("writing files", p->writing);
}
