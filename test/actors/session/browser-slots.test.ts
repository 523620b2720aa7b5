import { expect, test } from "bun:test";
import { type BrowserSlot, BrowserSlots, type SlotHolder } from "../../../actors/session/browser-slots.ts";

/** Sits in a place until it is asked to go, and goes if it may. */
class Sitter implements SlotHolder {
  idleSince: number | undefined;
  may = true;
  asked = 0;
  readonly #place: BrowserSlot;

  constructor(place: BrowserSlot, idleSince: number | undefined) {
    this.#place = place;
    this.idleSince = idleSince;
    place.assign(this);
  }

  async hibernate(): Promise<boolean> {
    this.asked++;
    if (!this.may) return false;
    setTimeout(() => this.#place.release(), 0);
    return true;
  }
}

const never = new AbortController().signal;

test("so many have places; a newcomer gets that of the one who was idle longest", async () => {
  const places = new BrowserSlots(2);
  const first = new Sitter(await places.take("a", never), 20);
  const second = new Sitter(await places.take("b", never), 10);
  await places.take("c", never);
  expect([first.asked, second.asked, places.taken]).toEqual([0, 1, 2]);
});

test("newcomers wait in their order while nobody is idle, and are told their position", async () => {
  const places = new BrowserSlots(1);
  const sitter = new Sitter(await places.take("a", never), undefined);
  const order: string[] = [];
  const come = async (room: string): Promise<void> => {
    const place = await places.take(room, never);
    order.push(room);
    place.release();
  };
  const coming = ["b", "c"].map(come);
  expect([places.position("a"), places.position("b"), places.position("c")]).toEqual([undefined, 1, 2]);
  expect(sitter.asked).toBe(0);
  sitter.idleSince = 1;
  await Promise.all(coming);
  expect([order, sitter.asked, places.taken]).toEqual([["b", "c"], 1, 0]);
});

test("who must stay is not asked again before something was done in it", async () => {
  const places = new BrowserSlots(1);
  const sitter = new Sitter(await places.take("a", never), 1);
  sitter.may = false;
  const coming = places.take("b", never);
  // Its refusal is heard in a turn of its own.
  await Bun.sleep(1);
  const other = places.take("c", never);
  expect(sitter.asked).toBe(1);
  sitter.may = true;
  sitter.idleSince = 2;
  const place = await coming;
  expect(sitter.asked).toBe(2);
  place.release();
  await other;
});

test("who is wanted no more leaves the queue", async () => {
  const places = new BrowserSlots(1);
  const place = await places.take("a", never);
  const gone = new AbortController();
  const coming = places.take("b", gone.signal);
  const next = places.take("c", never);
  gone.abort();
  await expect(coming).rejects.toMatchObject({ code: "effect.superseded" });
  expect(places.position("c")).toBe(1);
  place.release();
  // Twice is once.
  place.release();
  await next;
  expect(places.taken).toBe(1);
});
