/**
 * Replaces `bun:test` for unit tests on Deno; `deno.json` maps that name to this file. The tests that a file
 * declares when it is imported are added to the group that `openFile` returned.
 */
import { format } from "node:util";

export { fn as mock, spyOn } from "jest-mock";
export { expect } from "./deno-expect.ts";

export type Body = () => unknown;

/** A test or hook function with its time limit in milliseconds. */
export interface Step {
  readonly body: Body;
  readonly timeout: number;
}

export interface Test extends Step {
  readonly name: string;
}

/** A group of tests: a test file, or a `describe` in a file. */
export interface Group {
  readonly name: string;
  readonly members: (Test | Group)[];
  readonly beforeAll: Step[];
  readonly beforeEach: Step[];
  readonly afterEach: Step[];
  readonly afterAll: Step[];
}

/** Time limit of tests and hooks in milliseconds: that of `test/run-tests.ts`, or one that the file has set. */
const DEFAULT_TIMEOUT = 30_000;
let timeLimit = DEFAULT_TIMEOUT;

function newGroup(name: string): Group {
  return { name, members: [], beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
}

/** The group to which declared tests and hooks are added at this moment. */
let current: Group = newGroup("");

/** Starts a new test file. The returned group collects the tests of this file. */
export function openFile(name: string): Group {
  current = newGroup(name);
  timeLimit = DEFAULT_TIMEOUT;
  return current;
}

/** Sets the time limit of the tests and hooks that the file declares after this call. */
export function setDefaultTimeout(milliseconds: number): void {
  timeLimit = milliseconds;
}

export function describe(name: string, declare: () => void): void {
  const group = newGroup(name);
  const outer = current;
  outer.members.push(group);
  current = group;
  try {
    declare();
  } finally {
    current = outer;
  }
}

function declareTest(name: string, body: Body, timeout = timeLimit): void {
  current.members.push({ name, body, timeout });
}

/**
 * Declares one test for each case. The name of the test is a `printf` format, which is filled with the values
 * of the case.
 */
function each<Case>(cases: readonly Case[]) {
  return (name: string, body: (...values: never[]) => unknown, timeout?: number): void => {
    // In names of tests, `%p` prints any value, but only `bun:test` supports it. So it is replaced by `%j`,
    // which prints the value as JSON.
    const pattern = name.replaceAll("%p", "%j");
    const places = pattern.match(/%[sdifjoO]/g)?.length ?? 0;
    for (const values of cases.map((each) => (Array.isArray(each) ? each : [each]))) {
      // The cast accepts values of any type, because the body of the test declares their types.
      declareTest(format(pattern, ...values.slice(0, places)), () => body(...(values as never[])), timeout);
    }
  };
}

/** Returns a function that declares a test if the condition holds, and otherwise does nothing. */
const declareIf = (condition: boolean) => (condition ? declareTest : () => {});

export const test = Object.assign(declareTest, { each, if: declareIf });

const hook =
  (when: "beforeAll" | "beforeEach" | "afterEach" | "afterAll") =>
  (body: Body, timeout = timeLimit): void => {
    current[when].push({ body, timeout });
  };

export const beforeAll = hook("beforeAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export const afterAll = hook("afterAll");
