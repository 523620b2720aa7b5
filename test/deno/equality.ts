/**
 * When two values count as equal in a test, by the rules that `bun:test` documents for its matchers.
 *
 * Neighbour: `expect.ts` asks here. Two rules are not those of `node:assert`: a property that is `undefined`
 * counts as missing, and an object may be held against a part of it (`toMatchObject`).
 */

/** A value that stands for many: `expect.stringContaining("x")`. */
export class Matcher {
  readonly #says: string;
  readonly matches: (actual: unknown) => boolean;

  constructor(says: string, matches: (actual: unknown) => boolean) {
    this.#says = says;
    this.matches = matches;
  }

  toJSON(): string {
    return this.#says;
  }
}

type Fields = Readonly<Record<PropertyKey, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The names of the properties that have a value. */
function namesOf(value: Fields): PropertyKey[] {
  return Reflect.ownKeys(value).filter(
    (name) => Object.getOwnPropertyDescriptor(value, name)?.enumerable && value[name] !== undefined,
  );
}

/** Deep equality of values and structure. */
export function equals(actual: unknown, expected: unknown): boolean {
  if (expected instanceof Matcher) return expected.matches(actual);
  if (Object.is(actual, expected)) return true;
  if (!isObject(actual) || !isObject(expected)) return false;
  if (Array.isArray(actual) !== Array.isArray(expected)) return false;
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) return false;
  const known = equalsByContent(actual, expected);
  if (known !== undefined) return known;
  const names = namesOf(expected);
  return (
    names.length === namesOf(actual).length &&
    names.every((name) => name in actual && equals(actual[name], expected[name]))
  );
}

/** Types whose content is not in their properties. */
const WITH_CONTENT = [Date, RegExp, Map, Set, Error, Uint8Array];

/** Two objects of such a type by their content, `false` when only one is; `undefined` for all others. */
function equalsByContent(actual: Fields, expected: Fields): boolean | undefined {
  for (const type of WITH_CONTENT) {
    if (actual instanceof type !== expected instanceof type) return false;
  }
  if (actual instanceof Date && expected instanceof Date) return Object.is(+actual, +expected);
  if (actual instanceof RegExp && expected instanceof RegExp) return String(actual) === String(expected);
  if (actual instanceof Error && expected instanceof Error) return actual.message === expected.message;
  if (actual instanceof Uint8Array && expected instanceof Uint8Array) {
    return actual.length === expected.length && actual.every((byte, i) => byte === expected[i]);
  }
  if (actual instanceof Map && expected instanceof Map) {
    return sameMembers([...actual], [...expected]);
  }
  if (actual instanceof Set && expected instanceof Set) {
    return sameMembers([...actual], [...expected]);
  }
  return undefined;
}

/** In any order. */
function sameMembers(actual: readonly unknown[], expected: readonly unknown[]): boolean {
  const left = [...actual];
  for (const member of expected) {
    const at = left.findIndex((other) => equals(other, member));
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return left.length === 0;
}

/** Has `actual` all that `expected` names? Arrays must be of the same length. */
export function includes(actual: unknown, expected: unknown): boolean {
  if (!isObject(expected) || expected instanceof Matcher) return equals(actual, expected);
  if (!isObject(actual)) return false;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((part, i) => includes(actual[i], part))
    );
  }
  // An error may be held against a plain object that names some of its properties.
  if (WITH_CONTENT.some((type) => expected instanceof type)) return equals(actual, expected);
  return Reflect.ownKeys(expected).every((name) => name in actual && includes(actual[name], expected[name]));
}
