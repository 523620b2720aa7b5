/**
 * `expect` as the unit tests use it: the matchers of `bun:test` that one meets in them, and no others.
 *
 * A test that uses another one fails with "is not a function" until it is written here. Neighbours:
 * `equality.ts` compares, `bun-test.ts` is the module that the tests import.
 */
import { AssertionError } from "node:assert";
import { inspect } from "node:util";
import { equals, includes, Matcher } from "./equality.ts";

const show = (value: unknown): string => inspect(value, { depth: 8, breakLength: 100 });

/** What `toThrow` may be told of the error: a part of its message, its class, or a matcher. */
type Thrown = string | RegExp | Matcher | (abstract new (...args: never[]) => Error);

function isThrown(error: unknown, expected: Thrown | undefined): boolean {
  const message = error instanceof Error ? error.message : String(error);
  if (expected === undefined) return true;
  if (typeof expected === "string") return message.includes(expected);
  if (expected instanceof RegExp) return expected.test(message);
  if (expected instanceof Matcher) return expected.matches(error);
  return error instanceof expected;
}

class Expectation {
  readonly #actual: unknown;
  readonly #why: string | undefined;
  readonly #negated: boolean;

  constructor(actual: unknown, why?: string, negated = false) {
    this.#actual = actual;
    this.#why = why;
    this.#negated = negated;
  }

  get not(): Expectation {
    return new Expectation(this.#actual, this.#why, !this.#negated);
  }

  #claim(holds: boolean, relation: string, expected?: unknown): void {
    if (holds !== this.#negated) return;
    const wanted = `${this.#negated ? "not " : ""}${relation}`;
    const claim = `expected ${show(this.#actual)}\n${wanted}${expected === undefined ? "" : ` ${show(expected)}`}`;
    throw new AssertionError({
      message: this.#why === undefined ? claim : `${this.#why}\n${claim}`,
      stackStartFn: this.#claim,
    });
  }

  toBe(expected: unknown): void {
    this.#claim(Object.is(this.#actual, expected), "to be", expected);
  }

  toEqual(expected: unknown): void {
    this.#claim(equals(this.#actual, expected), "to equal", expected);
  }

  toMatchObject(expected: object): void {
    this.#claim(includes(this.#actual, expected), "to match the object", expected);
  }

  toBeDefined(): void {
    this.#claim(this.#actual !== undefined, "to be defined");
  }

  toBeUndefined(): void {
    this.#claim(this.#actual === undefined, "to be undefined");
  }

  toBeNull(): void {
    this.#claim(this.#actual === null, "to be null");
  }

  toBeTruthy(): void {
    this.#claim(Boolean(this.#actual), "to be truthy");
  }

  toBeFalsy(): void {
    this.#claim(!this.#actual, "to be falsy");
  }

  toBeInstanceOf(type: abstract new (...args: never[]) => unknown): void {
    this.#claim(this.#actual instanceof type, `to be an instance of ${type.name}`);
  }

  toBeGreaterThan(expected: number): void {
    this.#claim(Number(this.#actual) > expected, "to be greater than", expected);
  }

  toBeGreaterThanOrEqual(expected: number): void {
    this.#claim(Number(this.#actual) >= expected, "to be at least", expected);
  }

  toBeLessThan(expected: number): void {
    this.#claim(Number(this.#actual) < expected, "to be less than", expected);
  }

  toBeLessThanOrEqual(expected: number): void {
    this.#claim(Number(this.#actual) <= expected, "to be at most", expected);
  }

  toBeCloseTo(expected: number, digits = 2): void {
    const close = Math.abs(Number(this.#actual) - expected) < 10 ** -digits / 2;
    this.#claim(close, `to be close (${digits} digits) to`, expected);
  }

  toHaveLength(length: number): void {
    this.#claim((this.#actual as { length?: unknown } | null)?.length === length, "to have length", length);
  }

  toHaveProperty(name: string): void {
    const has = typeof this.#actual === "object" && this.#actual !== null && name in this.#actual;
    this.#claim(has, "to have property", name);
  }

  toMatch(pattern: string | RegExp): void {
    const text = String(this.#actual);
    this.#claim(
      typeof pattern === "string" ? text.includes(pattern) : pattern.test(text),
      "to match",
      pattern,
    );
  }

  toStartWith(part: string): void {
    this.#claim(String(this.#actual).startsWith(part), "to start with", part);
  }

  toEndWith(part: string): void {
    this.#claim(String(this.#actual).endsWith(part), "to end with", part);
  }

  toContain(part: unknown): void {
    const within =
      typeof this.#actual === "string"
        ? this.#actual.includes(String(part))
        : [...(this.#actual as Iterable<unknown>)].some((member) => Object.is(member, part));
    this.#claim(within, "to contain", part);
  }

  toContainEqual(part: unknown): void {
    const within = [...(this.#actual as Iterable<unknown>)].some((member) => equals(member, part));
    this.#claim(within, "to contain one equal to", part);
  }

  toThrow(expected?: Thrown): void {
    let thrown: { readonly error: unknown } | undefined;
    try {
      (this.#actual as () => unknown)();
    } catch (error) {
      thrown = { error };
    }
    const holds = thrown !== undefined && isThrown(thrown.error, expected);
    this.#claim(holds, `to throw (it threw ${thrown ? show(thrown.error) : "nothing"})`, expected);
  }

  /** Matchers on what a promise rejects with; a promise that resolves fails the test. */
  get rejects(): Rejection {
    const rejection = async () => new Expectation(await this.#rejection(), this.#why);
    return {
      toMatchObject: async (expected) => (await rejection()).toMatchObject(expected),
      toBeInstanceOf: async (type) => (await rejection()).toBeInstanceOf(type),
      toThrow: async (expected) => {
        const error = await this.#rejection();
        const rethrow = () => {
          throw error;
        };
        new Expectation(rethrow, this.#why).toThrow(expected);
      },
    };
  }

  async #rejection(): Promise<unknown> {
    let value: unknown;
    try {
      value = await this.#actual;
    } catch (error) {
      return error;
    }
    throw new AssertionError({ message: `expected a rejection, and it resolved to ${show(value)}` });
  }
}

interface Rejection {
  toMatchObject(expected: object): Promise<void>;
  toBeInstanceOf(type: abstract new (...args: never[]) => unknown): Promise<void>;
  toThrow(expected?: Thrown): Promise<void>;
}

/** Is a value of this class, or what `typeof` calls one of the primitives' classes? */
function isA(value: unknown, type: abstract new (...args: never[]) => unknown): boolean {
  return value instanceof type || typeof value === type.name.toLowerCase();
}

export const expect = Object.assign((actual: unknown, why?: string) => new Expectation(actual, why), {
  stringContaining: (part: string) =>
    new Matcher(
      `a string with ${show(part)}`,
      (actual) => typeof actual === "string" && actual.includes(part),
    ),
  any: (type: abstract new (...args: never[]) => unknown) =>
    new Matcher(`any ${type.name}`, (actual) => isA(actual, type)),
  anything: () => new Matcher("anything", (actual) => actual !== undefined && actual !== null),
  arrayContaining: (parts: readonly unknown[]) =>
    new Matcher(
      `an array with ${show(parts)}`,
      (actual) =>
        Array.isArray(actual) && parts.every((part) => actual.some((member) => equals(member, part))),
    ),
  objectContaining: (part: object) =>
    new Matcher(`an object with ${show(part)}`, (actual) => includes(actual, part)),
});
