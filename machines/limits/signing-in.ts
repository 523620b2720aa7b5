/**
 * Numbers of signing in: recipes, secrets, what a session is given at its start.
 * Durations are milliseconds, sizes bytes, unless the name says otherwise. Neighbour: `../limits.ts` joins them.
 */
import { SECOND } from "./units.ts";

export const signingIn = {
  login: {
    /** Fields of one recipe. */
    fields: 20,
    /** A field is there in this time … */
    fieldWithin: 10 * SECOND,
    /** … or, where others were filled meanwhile, this: then it is on the next step. */
    nextWithin: SECOND,
    /** From the last thing that was sent to what shows that it worked. */
    successWithin: 20 * SECOND,
    /** For so long a page asks for it once more before it is taken for refused. */
    refusedFor: 3 * SECOND,
    /** Everything included; an act may take no longer. */
    within: 40 * SECOND,
    /** Characters that are told of what the page says went wrong. */
    complaint: 300,
  },
  secrets: {
    most: 1_000,
    valueLength: 10_000,
    hosts: 20,
  },
  environment: {
    headers: 50,
    headerLength: 8_000,
    cookies: 3_000,
    origins: 500,
    /** Databases of one origin. */
    databases: 100,
  },
} as const;
