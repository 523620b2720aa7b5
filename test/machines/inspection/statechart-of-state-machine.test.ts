import { expect, test } from "bun:test";
import { type AnyStateMachine, setup } from "xstate";
import { explorationMachine } from "../../../machines/exploration/exploration-machine.ts";
import { activeStates, chartOf } from "../../../machines/inspection/statechart-of-state-machine.ts";
import { janitorMachine } from "../../../machines/janitor/janitor-machine.ts";
import { player } from "./all-features-test-statechart.ts";

const chart = chartOf(player);
const find = (id: string) => chart.states.find((state) => state.id === id);
const from = (source: string) => chart.transitions.filter((transition) => transition.source === source);

test("a state chart for the console lists every state with its parent, kind and initial child", () => {
  expect(chart.states.map(({ id }) => id)).toEqual([
    "player",
    "player.off",
    "player.on",
    "player.on.sound",
    "player.on.sound.quiet",
    "player.on.sound.loud",
    "player.on.disc",
    "player.on.disc.still",
    "player.on.disc.turning",
    "player.on.disc.over",
    "player.on.disc.again",
    "player.broken",
  ]);
  expect(find("player")).toMatchObject({ type: "compound", parent: null, initial: "player.off" });
  expect(find("player.on")).toMatchObject({ type: "parallel", initial: null });
  expect(find("player.on.disc.over")).toMatchObject({ type: "final", key: "over" });
  expect(find("player.on.disc.again")).toMatchObject({ type: "history", history: "shallow" });
  expect(find("player.on.disc.turning")).toMatchObject({
    invokes: [{ id: "spin", src: "spin" }],
    entry: ["hum"],
  });
});

test("a state chart lists every transition with a unique id, a readable event and its guard", () => {
  expect(new Set(chart.transitions.map(({ id }) => id)).size).toBe(chart.transitions.length);
  expect(from("player.on.disc.turning").map(({ label, guard, targets }) => [label, guard, targets])).toEqual([
    ["PAUSE", null, ["player.on.disc.still"]],
    ["done: spin", "scratched", ["player.broken"]],
    ["done: spin", null, ["player.on.disc.over"]],
    ["error: spin", null, ["player.broken"]],
    ["after 1000 ms", null, []],
    ["always", "condition", ["player.on.disc.still"]],
  ]);
  expect(from("player.on").map(({ label }) => label)).toEqual(["OFF", "done"]);
  expect(from("player")).toMatchObject([{ label: "any other event", targets: [], actions: ["log"] }]);
});

test("a state chart labels a named delay by its name", () => {
  const labels = chartOf(janitorMachine as unknown as AnyStateMachine).transitions.map(({ label }) => label);
  expect(labels).toContain("after rest");
});

test("the active states of a state chart are listed with parents before children, and parallel regions in order", () => {
  expect(activeStates(chart, "off")).toEqual(["player", "player.off"]);
  expect(activeStates(chart, { on: { sound: "loud", disc: "still" } })).toEqual([
    "player",
    "player.on",
    "player.on.sound",
    "player.on.sound.loud",
    "player.on.disc",
    "player.on.disc.still",
  ]);
  expect(activeStates(chart, { gone: "x" })).toEqual(["player"]);
});

test("a state chart keeps explicit state ids", () => {
  const machine = setup({}).createMachine({
    id: "m",
    initial: "a",
    states: { a: { id: "first", on: { GO: "#second" } }, b: { id: "second" } },
  });
  const named = chartOf(machine as unknown as AnyStateMachine);
  expect(activeStates(named, "b")).toEqual(["m", "second"]);
  expect(named.transitions[0]).toMatchObject({ source: "first", targets: ["second"] });
});

test("a state chart for the console consists of plain JSON values", () => {
  const plain = chartOf(explorationMachine as unknown as AnyStateMachine);
  expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
});
