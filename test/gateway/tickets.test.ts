import { expect, test } from "bun:test";
import { Tickets } from "../../gateway/security/tickets.ts";
import { limits } from "../../machines/limits.ts";

const ANN = { name: "ann", scope: "read" } as const;
const NOW = 1_000_000;

test("a ticket is good once, for what its key may", () => {
  const tickets = new Tickets();
  const { ticket } = tickets.issue(ANN, NOW);
  expect([tickets.redeem(ticket, NOW), tickets.redeem(ticket, NOW)]).toEqual([ANN, undefined]);
});

test("a ticket is good for a moment", () => {
  const tickets = new Tickets();
  const { ticket, expires } = tickets.issue(ANN, NOW);
  expect(expires).toBe(NOW + limits.socket.ticketFor);
  expect(tickets.redeem(ticket, expires)).toBeUndefined();
});

test("tickets do not grow for ever: the longest known go first", () => {
  const tickets = new Tickets();
  const all = Array.from({ length: limits.socket.tickets + 1 }, () => tickets.issue(ANN, NOW).ticket);
  expect(tickets.redeem(all[0] ?? "", NOW)).toBeUndefined();
  expect(tickets.redeem(all[1] ?? "", NOW)).toEqual(ANN);
});
