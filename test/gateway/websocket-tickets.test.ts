import { expect, test } from "bun:test";
import { StartingSystem } from "../../gateway/running-system-for-waiting-requests.ts";
import type { NamedKey } from "../../gateway/security/api-keys.ts";
import { Signer } from "../../gateway/security/ticket-and-cookie-signer.ts";
import { Tickets, useAcrossNodes } from "../../gateway/security/websocket-tickets.ts";
import { socketLimits } from "../../gateway/socket/websocket-limits.ts";
import { MemoryCairn } from "./fake-cairn-for-tests.ts";

const ANN = { name: "ann", scope: "read" } as const;
const KEYS: readonly NamedKey[] = [
  { ...ANN, key: "the-key-of-ann-0001" },
  { name: "ben", scope: "admin", key: "the-key-of-ben-0001" },
];
const NOW = 1_000_000;

/** Returns the ticket services of several nodes. They share one store. */
function nodes(count: number, keys = KEYS): readonly Tickets[] {
  const cairn = new MemoryCairn();
  return Array.from({ length: count }, () => {
    const system = new StartingSystem();
    system.fill(cairn);
    return new Tickets(new Signer(keys), useAcrossNodes(system));
  });
}

test("a WebSocket ticket (a single-use credential) is valid once, with the scope of its key, on every node", async () => {
  const [one, other] = nodes(2);
  const { ticket } = one?.issue(ANN, NOW) ?? { ticket: "" };
  expect(await other?.redeem(ticket, NOW)).toEqual(ANN);
  expect([await one?.redeem(ticket, NOW), await other?.redeem(ticket, NOW)]).toEqual([undefined, undefined]);
});

test("of several simultaneous uses of one WebSocket ticket, exactly one is accepted", async () => {
  const all = nodes(5);
  const ticket = all[0]?.issue(ANN, NOW).ticket ?? "";
  const came = await Promise.all(all.map((tickets) => tickets.redeem(ticket, NOW)));
  expect(came.filter((caller) => caller !== undefined)).toEqual([ANN]);
});

test("a WebSocket ticket expires after its lifetime", async () => {
  const [tickets] = nodes(1);
  const { ticket, expires } = tickets?.issue(ANN, NOW) ?? { ticket: "", expires: 0 };
  expect(expires).toBe(NOW + socketLimits.ticketFor);
  expect(await tickets?.redeem(ticket, expires)).toBeUndefined();
});

test("a changed WebSocket ticket is refused, and does not use up the original ticket", async () => {
  const [tickets] = nodes(1);
  const { ticket, expires } = tickets?.issue(ANN, NOW) ?? { ticket: "", expires: 0 };
  const changed = [
    ticket.replace("ann", "ben"),
    ticket.replace(String(expires), String(expires + 1)),
    `${ticket.slice(0, -2)}AA`,
    "",
    "ann",
    `ann.${expires}.${"a".repeat(22)}.${"a".repeat(43)}`,
    `zoe.${expires}.${"a".repeat(22)}.${"a".repeat(43)}`,
  ];
  for (const one of changed) expect([one, await tickets?.redeem(one, NOW)]).toEqual([one, undefined]);
  expect(await tickets?.redeem(ticket, NOW)).toEqual(ANN);
});

test("a WebSocket ticket becomes invalid when its API key is replaced", async () => {
  const [before] = nodes(1);
  const [after] = nodes(
    1,
    KEYS.map((key) => ({ ...key, key: `${key.key}-new` })),
  );
  expect(await after?.redeem(before?.issue(ANN, NOW).ticket ?? "", NOW)).toBeUndefined();
});
