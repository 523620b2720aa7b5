/**
 * The tier of a run: `npm test` runs every test in its short form, and `npm run test:full` adds the long
 * forms and the files `*.full.test.ts`.
 */
export const isFull = process.env.CAIRN_TEST_TIER === "full";

/** The seed of random tests. It is fixed, so that two runs of one commit test the same; CHAOS_SEED sets another. */
export const seed = Number(process.env.CHAOS_SEED ?? 20_261_124);
