/** Tests which control an exploration presses next, and by which presses it returns to a state of a page. */
import { describe, expect, test } from "bun:test";
import type { Candidate } from "../../../../machines/exploration/press/controls-to-press.ts";
import {
  type FrontierState,
  type PressEffect,
  PressFrontier,
  type PressNote,
} from "../../../../machines/exploration/press/next-control-to-press.ts";
import { stateSketchOf } from "../../../../machines/exploration/press/page-state-by-visible-controls.ts";
import { stateIdOf } from "../../../../machines/knowledge/screens/page-states-to-map-instances.ts";

const candidate = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  key: name,
  group: null,
  step: { kind: "click", name, role: "button", xpath: `/html/body/${name}` },
  ...more,
});

function state(
  id: string,
  candidates: readonly Candidate[],
  more: Partial<FrontierState> = {},
): FrontierState {
  const url = `https://a.example/${id}`;
  const sketch = stateSketchOf(candidates.map(({ key }) => `${id} ${key}`));
  return { id, url, key: url, path: [], names: [], sketch, via: null, candidates, ...more };
}

const result = (from: string, key: string, effect: PressEffect, target: string | null = null): PressNote => ({
  kind: "result",
  result: {
    state: from,
    candidate: key,
    effect,
    target,
    added: target === null ? "" : stateSketchOf([target]),
    fresh: target !== null,
  },
});

function frontierOf(...notes: readonly PressNote[]): PressFrontier {
  const frontier = new PressFrontier();
  for (const note of notes) frontier.apply(note);
  return frontier;
}
const stateNote = (one: FrontierState): PressNote => ({ kind: "state", state: one });
const nextOf = (frontier: PressFrontier, here?: string) => {
  const next = frontier.next(here);
  return next && `${next.state.id} ${next.candidate.key}`;
};

describe("the choice of the next control to press", () => {
  test("prefers new controls of the current state, then those of other states, then elements that are perhaps no controls", () => {
    const a = state("a", [candidate("x"), candidate("cell", { vague: true })]);
    const b = state("b", [candidate("x"), candidate("y")]);
    const frontier = frontierOf(stateNote(a), stateNote(b));
    expect(nextOf(frontier, "b")).toBe("b x");
    frontier.apply(result("b", "x", "none"));
    expect(nextOf(frontier, "b")).toBe("b y");
    frontier.apply(result("b", "y", "none"));
    expect(nextOf(frontier, "b")).toBe("a cell");
    frontier.apply(result("a", "cell", "none"));
    expect(nextOf(frontier, "b")).toBeUndefined();
  });

  test("prefers a control that opens a form for something new, and includes it again on each page that has it", () => {
    const create = candidate("Create", { creates: true });
    const a = state("a", [candidate("tab"), create]);
    const b = state("b", [candidate("x"), create]);
    const frontier = frontierOf(stateNote(a), stateNote(b));
    const other = state("c", [candidate("y")]);
    frontier.apply(stateNote(other));
    expect(nextOf(frontier, "c")).toBe("c y");
    expect(nextOf(frontier, "a")).toBe("a Create");
    frontier.apply(result("a", "Create", "state", "dialog"));
    expect(nextOf(frontier, "b")).toBe("b Create");
    frontier.apply(result("b", "Create", "state", "dialog"));
    expect(nextOf(frontier, "b")).toBe("b x");
  });

  test("includes a control that was pressed in one other state, but not a control that led to the same state from two states", () => {
    const [a, b, c] = ["a", "b", "c"].map((id) => state(id, [candidate("menu")]));
    const target = state("t", []);
    const notes = [a, b, c, target].flatMap((one) => (one ? [stateNote(one)] : []));
    const frontier = frontierOf(...notes, result("a", "menu", "page", "t"));
    expect(nextOf(frontier, "b")).toBe("b menu");
    frontier.apply(result("b", "menu", "page", "t"));
    expect(nextOf(frontier, "c")).toBeUndefined();
    expect(frontier.inferred().map(({ state: { id }, target: to }) => [id, to])).toEqual([["c", "t"]]);
  });

  test("excludes a button that closed two dialogs, because it is assumed to close a third dialog too", () => {
    const close = candidate("Close");
    const dialog = (page: FrontierState, name: string) =>
      state(stateIdOf(page.key, [name]), [close], {
        key: page.key,
        path: [candidate(name).step],
        names: [name],
      });
    const page = (id: string) => ({ ...state(id, []), id: stateIdOf(state(id, []).key, []) });
    const [a, b] = [page("a"), page("b")];
    const [one, two, three] = [dialog(a, "one"), dialog(a, "two"), dialog(b, "three")];
    const frontier = frontierOf(
      ...[a, b, one, two, three].map(stateNote),
      result(one.id, "Close", "state", a.id),
      result(two.id, "Close", "state", a.id),
    );
    expect(nextOf(frontier)).toBeUndefined();
    expect(frontier.inferred().map(({ state: { id }, target }) => [id, target])).toEqual([[three.id, b.id]]);
  });

  test("includes the next item of a list only if the earlier items have led to different states", () => {
    const rows = ["r1", "r2", "r3"].map((name) => candidate(name, { group: "rows" }));
    const list = stateNote(state("list", rows));
    const different = frontierOf(
      list,
      result("list", "r1", "page", "one"),
      result("list", "r2", "page", "two"),
    );
    expect(nextOf(different)).toBe("list r3");
    const alike = frontierOf(list, result("list", "r1", "page", "one"), result("list", "r2", "page", "one"));
    expect(nextOf(alike)).toBeUndefined();
  });

  test("includes the Next button of a wizard again in each step", () => {
    const next = candidate("Next");
    const page = state("w", [next]);
    const step = state("w~next", [next], { key: page.key, path: [next.step], names: ["Next"] });
    const frontier = frontierOf(stateNote(page), stateNote(step), result("w", "Next", "state", "w~next"));
    expect(nextOf(frontier)).toBe("w~next Next");
  });

  test("includes a control that was missing once and has appeared again", () => {
    const one = state("a", [candidate("late")]);
    const frontier = frontierOf(stateNote(one), result("a", "late", "absent"));
    expect(nextOf(frontier)).toBeUndefined();
    frontier.renew("a", one.sketch, one.candidates);
    expect(nextOf(frontier)).toBe("a late");
    frontier.apply(result("a", "late", "absent"));
    frontier.renew("a", one.sketch, one.candidates);
    expect(nextOf(frontier)).toBeUndefined();
  });
});

test("the choice of the next control to press continues from the stored presses after a restart", () => {
  const notes = [
    stateNote(state("a", [candidate("x"), candidate("y")])),
    result("a", "x", "state", "a~x"),
    stateNote(state("a~x", [candidate("z")], { path: [candidate("x").step], names: ["x"] })),
  ];
  // The notes (records of states and presses) are converted to JSON and back, as when they are stored and
  // loaded.
  const again = frontierOf(...(JSON.parse(JSON.stringify(notes)) as typeof notes));
  expect(nextOf(again, "a")).toBe("a y");
  expect(again.results).toBe(1);
});

describe("the known ways between the states of pages", () => {
  const [open, close, back] = [candidate("open"), candidate("close"), candidate("back")];
  const page = state("page", [open]);
  const dialog = state("page~open", [close, back], { path: [open.step], names: ["open"] });
  const steps = (frontier: PressFrontier, from: string, to: FrontierState) =>
    frontier.wayTo(from, to)?.map(({ step, target }) => `${step.name} > ${target}`);

  test("consist of presses that were observed, and are not used if opening the page again takes fewer steps", () => {
    const inner = state("page~open~more", [back], { path: [open.step, back.step], names: ["open", "more"] });
    const frontier = frontierOf(
      stateNote(page),
      stateNote(dialog),
      stateNote(inner),
      result("page", "open", "state", "page~open"),
      result("page~open", "close", "state", "page"),
      result("page~open~more", "back", "state", "page~open"),
    );
    expect(steps(frontier, "page~open", page)).toEqual(["close > page"]);
    expect(steps(frontier, "page~open~more", dialog)).toEqual(["back > page~open"]);
    // From the inner dialog, two presses lead back to the page. Opening the page again takes one step, so no
    // presses are returned.
    expect(steps(frontier, "page~open~more", page)).toBeUndefined();
    expect(steps(frontier, "page", inner)).toBeUndefined();
  });

  test("contain no search, no press that changes data, and no press that has failed since it was observed", () => {
    const search = candidate("find", {
      step: { kind: "search", name: "find", role: "input", xpath: "/html/body/input" },
    });
    const save = candidate("save", { allowed: true });
    const frontier = frontierOf(
      stateNote(state("page", [open, search, save])),
      stateNote(dialog),
      result("page", "find", "page", "found"),
      result("page", "save", "page", "saved"),
      result("page~open", "close", "state", "page"),
    );
    expect(steps(frontier, "page", state("found", []))).toBeUndefined();
    expect(steps(frontier, "page", state("saved", []))).toBeUndefined();
    frontier.forgetWay("page~open", "page");
    expect(steps(frontier, "page~open", page)).toBeUndefined();
  });
});
