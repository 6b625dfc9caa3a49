/**
 * `npm test` is the developer's heartbeat: it holds every law with few repetitions. `TESTS=all npm test`, which CI
 * runs, repeats more: more drawn cases and mutants, more kills, longer soak, and every test of the state on PostgreSQL too.
 */
export const EXHAUSTIVE = process.env.TESTS === 'all'

/** The number of repetitions of a test: `few` in everyday runs, `all` in the exhaustive run. */
export const repetitions = (few: number, all: number): number => (EXHAUSTIVE ? all : few)
