/**
 * The tier of a test run: `npm test` runs every test in its short form (the fast tier), and `npm run
 * test:full` adds the long forms and the files `*.full.test.ts` (the full tier).
 */
export const isFull = process.env.CAIRN_TEST_TIER === "full";

/** The seed of the fast tier. It is constant, so that two runs of the same commit test the same cases. */
const PUSH_SEED = 20_261_124;

/**
 * The seed of random tests, which is also part of their names. The full tier uses another seed in each run,
 * and CHAOS_SEED repeats a given one.
 */
export const seed = Number(process.env.CHAOS_SEED ?? (isFull ? Date.now() % 1_000_000 : PUSH_SEED));
