/** `expect` for the unit tests on Deno: Jest's, with the matchers and the second argument that `bun:test` adds. */
import { expect as jestExpect } from "expect";

const added = {
  toStartWith: (actual: unknown, part: string) => ({
    pass: String(actual).startsWith(part),
    message: () => `expected ${JSON.stringify(actual)} to start with ${JSON.stringify(part)}`,
  }),
  toEndWith: (actual: unknown, part: string) => ({
    pass: String(actual).endsWith(part),
    message: () => `expected ${JSON.stringify(actual)} to end with ${JSON.stringify(part)}`,
  }),
};
jestExpect.extend(added);

/** The second argument, a reason that Bun prints with a failure, is left out: Jest refuses it. */
export const expect = Object.assign((actual: unknown, _reason?: string) => jestExpect(actual), jestExpect);
