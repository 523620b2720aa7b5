import { expect, test } from "bun:test";
import { Tickets } from "../../gateway/security/tickets.ts";
import { limits } from "../../machines/limits.ts";

const NOW = 1_000_000;

test("a ticket is good once", () => {
  const tickets = new Tickets();
  const { ticket } = tickets.issue(NOW);
  expect([tickets.redeem(ticket, NOW), tickets.redeem(ticket, NOW)]).toEqual([true, false]);
});

test("a ticket is good for a moment", () => {
  const tickets = new Tickets();
  const { ticket, expires } = tickets.issue(NOW);
  expect(expires).toBe(NOW + limits.socket.ticketFor);
  expect(tickets.redeem(ticket, expires)).toBe(false);
});

test("tickets do not grow for ever: the longest known go first", () => {
  const tickets = new Tickets();
  const all = Array.from({ length: limits.socket.tickets + 1 }, () => tickets.issue(NOW).ticket);
  expect(tickets.redeem(all[0] ?? "", NOW)).toBe(false);
  expect(tickets.redeem(all[1] ?? "", NOW)).toBe(true);
});
