/* The curve of a film: how dark it becomes in so much light. */
#ifndef FILM_H
#define FILM_H

/* light: 0 and more. steepness: 1 .. 4. The result lies in 0 .. 1. */
static inline float film(float light, int steepness)
{
    float power = light;
    for (int i = 1; i < steepness; i++)
        power *= light;
    return power / (power + 0.1f);
}

#endif
