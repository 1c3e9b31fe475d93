"""Operations, instructions and nanoseconds of one rhs: every level of optimisation, and other generators beside it."""
