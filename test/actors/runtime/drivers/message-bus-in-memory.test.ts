/** Tests that the message bus in memory holds the contract of message buses, and which topics match a pattern. */
import { expect, test } from "bun:test";
import { MemoryBus, topicMatches } from "../../../../actors/runtime/index.ts";
import { holdsTheBusContract } from "./message-bus.contract.ts";

holdsTheBusContract("the memory bus", async (capacity) => {
  const bus = new MemoryBus({ mailboxCapacity: () => capacity });
  return { here: bus, there: bus, close: async () => {} };
});

test("topics of messages match patterns part by part", () => {
  const matching = [
    ["a.b", "a.b"],
    ["a.*", "a.b"],
    ["*.b", "a.b"],
    ["a.>", "a.b"],
    ["a.>", "a.b.c"],
    [">", "a"],
  ] as const;
  const not = [
    ["a.b", "a.c"],
    ["a.*", "a"],
    ["a.*", "a.b.c"],
    ["a.>", "a"],
    ["a.b", "a.b.c"],
    ["a.b.c", "a.b"],
  ] as const;
  for (const [pattern, topic] of matching) expect(topicMatches(pattern, topic)).toBe(true);
  for (const [pattern, topic] of not) expect(topicMatches(pattern, topic)).toBe(false);
});
