/**
 * `expect` for unit tests on Deno. It is the `expect` of Jest, extended by the matchers that only `bun:test`
 * has.
 */
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

/**
 * The `expect` of Bun accepts a second argument, a reason that it prints if the assertion fails. Jest would
 * refuse this argument, so it is dropped.
 */
export const expect = Object.assign((actual: unknown, _reason?: string) => jestExpect(actual), jestExpect);
