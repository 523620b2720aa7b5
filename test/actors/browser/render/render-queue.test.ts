/**
 * Tests the queue for rendering pages. A limited number of callers render at the same time, in the order of their
 * requests, and a limited number of callers wait.
 */
import { expect, test } from "bun:test";
import { RenderQueue } from "../../../../actors/browser/render/render-queue.ts";

const signal = new AbortController().signal;

async function leave(turn: Promise<(() => void) | undefined>): Promise<() => void> {
  const given = await turn;
  if (!given) throw new Error("It should have been a turn.");
  return given;
}

test("a released turn of the render queue goes to the caller that has waited longest", async () => {
  const turns = new RenderQueue(1, 10);
  const order: string[] = [];
  const first = await leave(turns.take(signal));
  const others = ["a", "b", "c"].map(async (name) => {
    const done = await leave(turns.take(signal));
    order.push(name);
    done();
  });
  expect(order).toEqual([]);
  first();
  first();
  await Promise.all(others);
  expect(order).toEqual(["a", "b", "c"]);
  expect(turns.idle).toBe(true);
});

test("a caller beyond the render queue's limit is refused immediately", async () => {
  const turns = new RenderQueue(1, 1);
  const done = await leave(turns.take(signal));
  const waiting = turns.take(signal);
  expect(await turns.take(signal)).toBeUndefined();
  done();
  (await leave(waiting))();
  expect(turns.idle).toBe(true);
});

test("a caller that aborts leaves the render queue", async () => {
  const turns = new RenderQueue(1, 10);
  const done = await leave(turns.take(signal));
  const controller = new AbortController();
  const impatient = turns.take(controller.signal);
  const patient = turns.take(signal);
  controller.abort(new Error("enough"));
  await expect(impatient).rejects.toThrow("enough");
  done();
  (await leave(patient))();
  expect(turns.idle).toBe(true);
  await expect(turns.take(AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
});
