/**
 * What the unit tests find under `bun:test` when they run on Deno (`deno.json` maps the name): the same words.
 *
 * A test file that is imported writes its tests down in `openFile`; `run.ts` runs them. Neighbour: `expect.ts`.
 */
import { format } from "node:util";

export { expect } from "./expect.ts";

export type Body = () => unknown;

/** A body with the milliseconds that it may take. */
export interface Timed {
  readonly body: Body;
  readonly patience: number;
}

export interface Test extends Timed {
  readonly name: string;
}

/** A file, or a `describe` in one. */
export interface Group {
  readonly name: string;
  readonly members: (Test | Group)[];
  readonly beforeAll: Timed[];
  readonly beforeEach: Timed[];
  readonly afterEach: Timed[];
  readonly afterAll: Timed[];
}

/** What a test may take when it names no time itself, as in `test/run.ts`. */
const PATIENCE = 30_000;

function newGroup(name: string): Group {
  return { name, members: [], beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
}

/** Where what is declared now belongs. */
let open: Group = newGroup("");

/** Begins a file: what is declared from now on is in the answer. */
export function openFile(name: string): Group {
  open = newGroup(name);
  return open;
}

export function describe(name: string, declare: () => void): void {
  const group = newGroup(name);
  const outer = open;
  outer.members.push(group);
  open = group;
  try {
    declare();
  } finally {
    open = outer;
  }
}

function one(name: string, body: Body, patience = PATIENCE): void {
  open.members.push({ name, body, patience });
}

/** One test for each case; the name takes the case's values in the manner of printf. */
function each<Case>(cases: readonly Case[]) {
  return (name: string, body: (...values: never[]) => unknown, patience?: number): void => {
    // `%p`, a value as it is printed, is known to `bun:test` only.
    const pattern = name.replaceAll("%p", "%j");
    const places = pattern.match(/%[sdifjoO]/g)?.length ?? 0;
    for (const values of cases.map((each) => (Array.isArray(each) ? each : [each]))) {
      // The cases give the values' types, which the body names; `never` only says that any may stand there.
      one(format(pattern, ...values.slice(0, places)), () => body(...(values as never[])), patience);
    }
  };
}

export const test = Object.assign(one, { each });

const hook =
  (when: "beforeAll" | "beforeEach" | "afterEach" | "afterAll") =>
  (body: Body, patience = PATIENCE): void => {
    open[when].push({ body, patience });
  };

export const beforeAll = hook("beforeAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export const afterAll = hook("afterAll");
