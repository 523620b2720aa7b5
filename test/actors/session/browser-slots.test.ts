import { expect, test } from "bun:test";
import { type BrowserSlot, BrowserSlots, type SlotHolder } from "../../../actors/session/browser-slots.ts";

/**
 * A session that holds a browser slot (the permission for one live browser). When it is asked to hibernate,
 * it releases the slot if `canHibernate` is set, and otherwise refuses.
 */
class Holder implements SlotHolder {
  idleSince: number | undefined;
  canHibernate = true;
  requests = 0;
  readonly #slot: BrowserSlot;

  constructor(slot: BrowserSlot, idleSince: number | undefined) {
    this.#slot = slot;
    this.idleSince = idleSince;
    slot.assign(this);
  }

  async hibernate(): Promise<boolean> {
    this.requests++;
    if (!this.canHibernate) return false;
    setTimeout(() => this.#slot.release(), 0);
    return true;
  }
}

const never = new AbortController().signal;

test("a new session gets the browser slot of the session that was idle longest", async () => {
  const slots = new BrowserSlots(2);
  const first = new Holder(await slots.take("a", never), 20);
  const second = new Holder(await slots.take("b", never), 10);
  await slots.take("c", never);
  expect([first.requests, second.requests, slots.taken]).toEqual([0, 1, 2]);
});

test("sessions wait for a browser slot in order of arrival while no session is idle, and report their position in the queue", async () => {
  const slots = new BrowserSlots(1);
  const holder = new Holder(await slots.take("a", never), undefined);
  const order: string[] = [];
  const takeAndRelease = async (room: string): Promise<void> => {
    const slot = await slots.take(room, never);
    order.push(room);
    slot.release();
  };
  const taking = ["b", "c"].map(takeAndRelease);
  expect([slots.position("a"), slots.position("b"), slots.position("c")]).toEqual([undefined, 1, 2]);
  expect(holder.requests).toBe(0);
  holder.idleSince = 1;
  await Promise.all(taking);
  expect([order, holder.requests, slots.taken]).toEqual([["b", "c"], 1, 0]);
});

test("a session that refuses to hibernate is not asked again until it has been used", async () => {
  const slots = new BrowserSlots(1);
  const holder = new Holder(await slots.take("a", never), 1);
  holder.canHibernate = false;
  const taking = slots.take("b", never);
  // `take` learns of the refusal only in a later turn of the event loop. So the test waits for one millisecond.
  await Bun.sleep(1);
  const other = slots.take("c", never);
  expect(holder.requests).toBe(1);
  holder.canHibernate = true;
  holder.idleSince = 2;
  const slot = await taking;
  expect(holder.requests).toBe(2);
  slot.release();
  await other;
});

test("an aborted session leaves the queue for a browser slot", async () => {
  const slots = new BrowserSlots(1);
  const slot = await slots.take("a", never);
  const gone = new AbortController();
  const taking = slots.take("b", gone.signal);
  const next = slots.take("c", never);
  gone.abort();
  await expect(taking).rejects.toMatchObject({ code: "effect.superseded" });
  expect(slots.position("c")).toBe(1);
  slot.release();
  // The slot was already released, so releasing it a second time has no effect.
  slot.release();
  await next;
  expect(slots.taken).toBe(1);
});

test("explorations use at most half of the browser slots, and release one for a session that waits", async () => {
  const slots = new BrowserSlots(2);
  const job = new Holder(await slots.takeForJob("one", never), 0);
  let second = false;
  const waiting = slots.takeForJob("two", never).then((slot) => {
    second = true;
    return slot;
  });
  await slots.take("a", never);
  expect([second, slots.taken]).toEqual([false, 2]);
  const room = await slots.take("b", never);
  expect(job.requests).toBe(1);
  room.release();
  await waiting;
  expect(slots.taken).toBe(2);
});
