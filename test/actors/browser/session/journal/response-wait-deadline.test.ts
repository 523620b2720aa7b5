/** Tests how long an action waits for the responses to its requests. */
import { expect, test } from "bun:test";
import { AwaitedRequests } from "../../../../../actors/browser/session/journal/pending-requests-of-page.ts";

const TAB = "tab";
const WITHIN = 3_000;

test("all waits for responses to one action end at the same deadline, which is renewed when the page changes or the next action starts", async () => {
  const requests = new AwaitedRequests();
  requests.actionBegins(TAB);
  const first = requests.awaitedUntil(TAB, WITHIN);
  await Bun.sleep(5);
  expect(requests.awaitedUntil(TAB, WITHIN)).toBe(first);
  requests.documentChanged(TAB);
  const second = requests.awaitedUntil(TAB, WITHIN);
  expect(second).toBeGreaterThan(first);
  await Bun.sleep(5);
  requests.actionBegins(TAB);
  expect(requests.awaitedUntil(TAB, WITHIN)).toBeGreaterThan(second);
});
