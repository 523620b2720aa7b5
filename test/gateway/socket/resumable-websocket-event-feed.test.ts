import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { Feed, type Frame } from "../../../gateway/socket/resumable-websocket-event-feed.ts";
import { socketLimits } from "../../../gateway/socket/websocket-limits.ts";

let take: (event: unknown) => void;
let watching: number;
let ended: number;
let feed: Feed;
const seqs = (frames: readonly Frame[] | undefined) => frames?.map(({ seq }) => seq);

beforeEach(() => {
  jest.useFakeTimers();
  watching = 0;
  ended = 0;
  feed = new Feed({
    source: (given) => {
      take = given;
      watching += 1;
      return () => {
        watching -= 1;
      };
    },
    frame: (seq, event) => ({ seq, event }),
    ended: () => {
      ended += 1;
    },
  });
});
afterEach(() => {
  feed.close();
  jest.useRealTimers();
});

describe("a feed of events", () => {
  test("numbers events and sends them to every reader", () => {
    const one: Frame[] = [];
    const two: Frame[] = [];
    feed.read((frame) => one.push(frame));
    take("a");
    feed.read((frame) => two.push(frame));
    take("b");
    expect(one.map(({ text }) => JSON.parse(text))).toEqual([
      { seq: 1, event: "a" },
      { seq: 2, event: "b" },
    ]);
    expect(seqs(two)).toEqual([2]);
  });

  test("returns the events after a given number, or reports that they are no longer stored", () => {
    for (let i = 0; i < 5; i++) take(i);
    expect(seqs(feed.after(feed.epoch, 3))).toEqual([4, 5]);
    expect(seqs(feed.after(feed.epoch, 5))).toEqual([]);
    expect(seqs(feed.after(feed.epoch, 0))).toEqual([1, 2, 3, 4, 5]);
    expect(feed.after(feed.epoch, 6)).toBeUndefined();
    expect(feed.after("another", 3)).toBeUndefined();
  });

  test("keeps a limited number of events", () => {
    for (let i = 0; i < socketLimits.keptEvents + 10; i++) take(i);
    expect(feed.after(feed.epoch, 9)).toBeUndefined();
    expect(feed.after(feed.epoch, 10)).toHaveLength(socketLimits.keptEvents);
  });

  test("keeps a limited number of characters, and does not keep a single event that is longer", () => {
    const half = "x".repeat(socketLimits.keptBytes / 2);
    for (let i = 0; i < 4; i++) take(half);
    expect(seqs(feed.after(feed.epoch, 3))).toEqual([4]);
    expect(feed.after(feed.epoch, 2)).toBeUndefined();
    take(half + half);
    expect(feed.after(feed.epoch, 4)).toBeUndefined();
    expect(seqs(feed.after(feed.epoch, 5))).toEqual([]);
  });

  test("stays open for some time after its last reader has left, and then ends", () => {
    const stop = feed.read(() => {});
    jest.advanceTimersByTime(socketLimits.lingers * 3);
    expect(watching).toBe(1);
    stop();
    jest.advanceTimersByTime(socketLimits.lingers - 1);
    take("meanwhile");
    expect([watching, ended]).toEqual([1, 0]);
    jest.advanceTimersByTime(1);
    expect([watching, ended]).toEqual([0, 1]);
  });

  test("stays open if a reader comes back in time", () => {
    feed.read(() => {})();
    jest.advanceTimersByTime(socketLimits.lingers - 1);
    feed.read(() => {});
    jest.advanceTimersByTime(socketLimits.lingers * 2);
    expect(watching).toBe(1);
  });
});
