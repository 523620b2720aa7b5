/**
 * The tier of a run: `npm test` runs every test in its short form, and `npm run test:full` adds the long
 * forms and the files `*.full.test.ts`.
 */
export const isFull = process.env.CAIRN_TEST_TIER === "full";

/** The fixed seed for each push, so that two runs of one commit test the same. */
const PUSH_SEED = 20_261_124;

/**
 * The seed of random tests, which their names contain. The full tier uses another seed each time, and
 * CHAOS_SEED repeats one.
 */
export const seed = Number(process.env.CHAOS_SEED ?? (isFull ? Date.now() % 1_000_000 : PUSH_SEED));
