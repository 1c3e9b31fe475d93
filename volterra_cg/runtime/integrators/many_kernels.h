/* The kernels over LANE_COUNT lanes from `first` on; included once for each width. */
#define OF_WIDTH_JOINED(name, width) name##_##width
#define OF_WIDTH_OF(name, width) OF_WIDTH_JOINED(name, width)
#define OF_WIDTH(name) OF_WIDTH_OF(name, LANE_COUNT)
#define LANES OF_WIDTH(lanes)
#define BITS OF_WIDTH(lane_bits)
#define AT(values, i) (*(OF_WIDTH(lanes_at) *)((values) + (i)*L + first))
#define ABS(x) ((LANES)((BITS)(x)&0x7fffffffffffffffULL))
#define CHOOSE(mask, a, b) ((LANES)(((BITS)(a) & (BITS)(mask)) | ((BITS)(b) & ~(BITS)(mask))))
#define INLINE static inline __attribute__((always_inline))

typedef double LANES __attribute__((vector_size(8 * LANE_COUNT), may_alias));
typedef unsigned long long BITS __attribute__((vector_size(8 * LANE_COUNT), may_alias));
typedef double OF_WIDTH(lanes_at) __attribute__((vector_size(8 * LANE_COUNT), aligned(8), may_alias));

/* The weights of a row times a factor. */
INLINE void OF_WIDTH(weigh)(const vcg_many_row *row, const LANES *factor, LANES *weights)
{
    for (int j = 0; j < row->end; ++j) {
        weights[j] = *factor * row->weights[j];
    }
}

/* sum += Σ weights * k in entry i, in the order of vcg_combine, which gives single runs the same bits */
INLINE void OF_WIDTH(add)(const vcg_ensemble *at, const vcg_many_row *row, const LANES *w, int i, int first, LANES *sum)
{
    const double *k = at->k;
    const int n = at->n;
    int j = row->begin;
    if (row->leads) {
        *sum += w[0] * AT(k, i);
    }
    for (; j + 4 <= row->end; j += 4) {
        *sum += (w[j] * AT(k, j * n + i) + w[j + 1] * AT(k, (j + 1) * n + i)) +
                (w[j + 2] * AT(k, (j + 2) * n + i) + w[j + 3] * AT(k, (j + 3) * n + i));
    }
    if (row->end - j == 3) {
        *sum += w[j] * AT(k, j * n + i) + w[j + 1] * AT(k, (j + 1) * n + i) + w[j + 2] * AT(k, (j + 2) * n + i);
    } else if (row->end - j == 2) {
        *sum += w[j] * AT(k, j * n + i) + w[j + 1] * AT(k, (j + 1) * n + i);
    } else if (row->end - j == 1) {
        *sum += w[j] * AT(k, j * n + i);
    }
}

INLINE void OF_WIDTH(combine)(const vcg_ensemble *at, const vcg_many_row *row, double *result, int first)
{
    const LANES h = AT(at->h, 0);
    LANES weights[MOST_STAGES];
    OF_WIDTH(weigh)(row, &h, weights);
    for (int i = 0; i < at->n; ++i) {
        LANES sum = AT(at->y, i);
        OF_WIDTH(add)(at, row, weights, i, first, &sum);
        AT(result, i) = sum;
    }
}

INLINE void OF_WIDTH(largest_error)(const vcg_ensemble *at, int first)
{
    const vcg_many_settings *settings = &at->task->settings;
    const LANES one = (LANES){0} + 1.0;
    LANES largest = {0}, finite = {0}, weights[MOST_STAGES];
    OF_WIDTH(weigh)(at->errors, &one, weights);
    for (int i = 0; i < at->n; ++i) {
        LANES error = {0};
        const LANES y = AT(at->y, i), ynew = AT(at->ynew, i), a = ABS(y), b = ABS(ynew);
        const LANES threshold = settings->atol[i] / settings->rtol - (LANES){0}, larger = CHOOSE(b > a, b, a);
        const LANES size = CHOOSE(larger > threshold, larger, threshold);
        OF_WIDTH(add)(at, at->errors, weights, i, first, &error);
        error = ABS(error) / size;
        largest = CHOOSE(error <= largest, largest, error);
        finite += 0.0 * ynew;
    }
    AT(at->sums, 0) = largest;
    AT(at->sums, 2) = finite;
}

INLINE void OF_WIDTH(square_errors)(const vcg_ensemble *at, int first)
{
    const vcg_many_settings *settings = &at->task->settings;
    const LANES one = (LANES){0} + 1.0;
    LANES five = {0}, three = {0}, finite = {0}, weights[2][MOST_STAGES];
    OF_WIDTH(weigh)(at->errors, &one, weights[0]);
    OF_WIDTH(weigh)(at->errors + 1, &one, weights[1]);
    for (int i = 0; i < at->n; ++i) {
        LANES e5 = {0}, e3 = {0};
        const LANES y = AT(at->y, i), ynew = AT(at->ynew, i), a = ABS(y), b = ABS(ynew);
        const LANES scale = 1.0 / (settings->atol[i] + settings->rtol * CHOOSE(b > a, b, a));
        OF_WIDTH(add)(at, at->errors, weights[0], i, first, &e5);
        OF_WIDTH(add)(at, at->errors + 1, weights[1], i, first, &e3);
        five += (e5 * scale) * (e5 * scale);
        three += (e3 * scale) * (e3 * scale);
        finite += 0.0 * ynew;
    }
    AT(at->sums, 0) = five;
    AT(at->sums, 1) = three;
    AT(at->sums, 2) = finite;
}

INLINE void OF_WIDTH(prepare)(const vcg_ensemble *at, int first)
{
    const LANES h = AT(at->h, 0);
    const int n = at->n, end = at->integrator->stages - 1;
    for (int i = 0; i < n; ++i) {
        const LANES begin = AT(at->k, i), difference = AT(at->ynew, i) - AT(at->y, i);
        AT(at->terms, i) = difference;
        AT(at->terms, n + i) = h * begin - difference;
        AT(at->terms, 2 * n + i) = 2.0 * difference - h * (AT(at->k, end * n + i) + begin);
    }
    for (int term = 3; term < MOST_TERMS; ++term) {
        LANES weights[MOST_STAGES];
        OF_WIDTH(weigh)(at->dense + term, &h, weights);
        for (int i = 0; i < n; ++i) {
            LANES sum = {0};
            OF_WIDTH(add)(at, at->dense + term, weights, i, first, &sum);
            AT(at->terms, term * n + i) = sum;
        }
    }
}

INLINE void OF_WIDTH(watch)(const vcg_ensemble *at, const double *moves, int first)
{
    const BITS moved = (BITS)(AT(moves, 0) != 0.0);
    BITS away = moved ^ moved;
    for (int i = 0; i < at->model->divisors; ++i) {
        double *near = at->near + 3 * i * L;
        const LANES value = AT(at->scratch, i);
        const BITS stays = (BITS)(value >= AT(near, 0)) & (BITS)(value <= AT(near, 1));
        away |= moved & ~stays;
        AT(near, 2) = CHOOSE(moved & stays, value, AT(near, 2));
    }
    AT((double *)at->away, 0) = (LANES)away;
}

INLINE void OF_WIDTH(move)(const vcg_ensemble *at, const double *moves, int first)
{
    const BITS mask = (BITS)(AT(moves, 0) != 0.0);
    const double *last = at->k + (long)(at->integrator->stages - 1) * at->n * L;
    for (int i = 0; i < at->n; ++i) {
        AT(at->y, i) = CHOOSE(mask, AT(at->ynew, i), AT(at->y, i));
        AT(at->k, i) = CHOOSE(mask, AT(last, i), AT(at->k, i));
    }
}

#undef OF_WIDTH_JOINED
#undef OF_WIDTH_OF
#undef OF_WIDTH
#undef LANES
#undef BITS
#undef AT
#undef ABS
#undef CHOOSE
#undef INLINE
#undef LANE_COUNT
