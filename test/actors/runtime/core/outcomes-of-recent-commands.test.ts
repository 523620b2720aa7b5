/** Tests the actor's memory of recent commands by comparing it with a simple list. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Outcome } from "../../../../actors/runtime/actor-messages.ts";
import { stepLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import {
  RecentCommands,
  type StoredCommand,
} from "../../../../actors/runtime/core/outcomes-of-recent-commands.ts";

const most = stepLimits.rememberedCommands;
const read = (remembered: RecentCommands) =>
  RecentCommands.of(JSON.parse(`[${remembered.text}]`) as StoredCommand[]);

// The strings "Aa" and "BB" have the same hash, and so have strings of the same length that are composed of
// them. So many ids in the test collide.
const id = fc
  .array(fc.constantFrom("Aa", "BB", '"', ",", '["', "ä"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.jsonValue().map((body) => ({ ok: true as const, body })),
  fc.string().map((message) => ({ ok: false as const, error: { code: "a.b", message, status: 409 } })),
);

test("the cache of recent commands returns the outcome of a command by its id, even after the cache was stored and read", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, outcome)), id, (commands, other) => {
      const answers = new Map<string, Outcome>();
      let remembered = RecentCommands.none;
      for (const [known, answer] of commands) {
        if (answers.has(known)) continue;
        answers.set(known, JSON.parse(JSON.stringify(answer)) as Outcome);
        remembered = remembered.with(known, answer);
      }
      const left = remembered.without(other);
      for (const asked of [other, ...answers.keys()]) {
        const wanted = answers.get(asked);
        expect(remembered.find(asked)).toEqual(wanted);
        expect(read(remembered).find(asked)).toEqual(wanted);
        expect(left.find(asked)).toEqual(asked === other ? undefined : wanted);
      }
    }),
  );
});

test("the cache of recent commands drops the oldest commands beyond the maximum", () => {
  let remembered = RecentCommands.none;
  for (let i = 0; i < most + 3; i++) remembered = remembered.with(`c${i}`, { ok: true, body: { i } });
  for (const known of [remembered, read(remembered)]) {
    expect(known.size).toBe(most);
    expect(known.find("c2")).toBeUndefined();
    expect(known.find("c3")).toEqual({ ok: true, body: { i: 3 } });
    expect(known.find(`c${most + 2}`)).toEqual({ ok: true, body: { i: most + 2 } });
  }
});
