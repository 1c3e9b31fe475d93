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

/* Σ weights * k in entry i */
INLINE void OF_WIDTH(weighted)(const vcg_ensemble *at, const vcg_many_row *row, int i, int first, LANES *result)
{
    LANES sum = row->weight[0] * AT(at->k, row->stage[0] * at->n + i);
    for (int j = 1; j < row->count; ++j) {
        sum += row->weight[j] * AT(at->k, row->stage[j] * at->n + i);
    }
    *result = sum;
}

INLINE void OF_WIDTH(combine)(const vcg_ensemble *at, const vcg_many_row *row, double *result, int first)
{
    const LANES h = AT(at->h, 0);
    for (int i = 0; i < at->n; ++i) {
        LANES sum;
        OF_WIDTH(weighted)(at, row, i, first, &sum);
        AT(result, i) = AT(at->y, i) + h * sum;
    }
}

INLINE void OF_WIDTH(largest_error)(const vcg_ensemble *at, int first)
{
    const vcg_many_settings *settings = &at->task->settings;
    LANES largest = {0}, finite = {0};
    for (int i = 0; i < at->n; ++i) {
        LANES error;
        const LANES y = AT(at->y, i), ynew = AT(at->ynew, i), a = ABS(y), b = ABS(ynew);
        const LANES threshold = settings->atol[i] / settings->rtol - (LANES){0}, larger = CHOOSE(b > a, b, a);
        const LANES size = CHOOSE(larger > threshold, larger, threshold);
        OF_WIDTH(weighted)(at, at->errors, i, first, &error);
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
    LANES five = {0}, three = {0}, finite = {0};
    for (int i = 0; i < at->n; ++i) {
        LANES e5, e3;
        const LANES y = AT(at->y, i), ynew = AT(at->ynew, i), a = ABS(y), b = ABS(ynew);
        const LANES scale = 1.0 / (settings->atol[i] + settings->rtol * CHOOSE(b > a, b, a));
        OF_WIDTH(weighted)(at, at->errors, i, first, &e5);
        OF_WIDTH(weighted)(at, at->errors + 1, i, first, &e3);
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
        for (int term = 3; term < MOST_TERMS; ++term) {
            LANES sum;
            OF_WIDTH(weighted)(at, at->dense + term, i, first, &sum);
            AT(at->terms, term * n + i) = h * sum;
        }
    }
}

INLINE void OF_WIDTH(blend)(const vcg_ensemble *at, const double *weights, double *result, int first)
{
    const int rows = at->width / L;
    for (int i = 0; i < rows; ++i) {
        LANES sum = AT(at->block, i);
        for (int j = 0; j < MOST_TERMS; ++j) {
            sum += weights[j] * AT(at->block, (j + 1) * rows + i);
        }
        AT(result, i) = sum;
    }
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
