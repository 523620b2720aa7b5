/**
 * Tests the outbox of an actor: a message is sent until its target has stored it, and messages to one target
 * keep their order.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import { failure, type Message } from "../../../../actors/runtime/actor-messages.ts";
import { sendLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import { Outbox } from "../../../../actors/runtime/core/actor-outbox.ts";
import type { OutboxRow } from "../../../../actors/runtime/core/actor-record.ts";
import { MemoryBus } from "../../../../actors/runtime/index.ts";
import { type CairnError, Defect, Overloaded, Refused, Unavailable } from "../../../../machines/errors.ts";
import { commitLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { SimulatedClock } from "../model/simulated-clock.ts";

const DONE = { ok: true, body: null } as const;
const row = (seq: number, to = "counter/a"): OutboxRow => ({ seq, to, command: { type: "add" } });

/**
 * A message bus that records all sent messages. While `full` is true, it refuses messages with the error of a
 * full mailbox.
 */
class Recorder extends MemoryBus {
  readonly sent: Message[] = [];
  full = false;
  override async enqueue(message: Message): Promise<void> {
    this.sent.push(message);
    if (this.full) throw new Overloaded("actor.mailbox_full", "full");
  }
}

describe("messages in an actor's outbox", () => {
  let clock: SimulatedClock;
  let bus: Recorder;
  let settled: [seq: number, refusal: CairnError | undefined][];
  let withheld: [seq: number, code: string][];
  let sends: Outbox;
  const seqs = () => bus.sent.map(({ from }) => from?.seq);

  beforeEach(() => {
    clock = new SimulatedClock();
    bus = new Recorder();
    settled = [];
    withheld = [];
    sends = new Outbox("relay/r", {
      bus,
      clock,
      inbox: "_inbox.me",
      settled: ({ seq }, refusal) => settled.push([seq, refusal]),
      withheld: ({ seq }, { code }) => withheld.push([seq, code]),
    });
  });

  test("contain their actor, their number, an id made of both, and the topic for the answer", () => {
    sends.reconcile([row(7)]);
    expect(bus.sent).toEqual([
      {
        id: "relay/r:7",
        to: { kind: "counter", id: "a" },
        body: { type: "add" },
        replyTo: "_inbox.me",
        from: { actor: "relay/r", seq: 7 },
      },
    ]);
  });

  test("are sent to one target one after another, and to several targets at once", () => {
    sends.reconcile([row(1), row(2), row(3, "counter/b")]);
    expect(seqs()).toEqual([1, 3]);
    sends.answered(1, DONE);
    expect(seqs()).toEqual([1, 3, 2]);
    expect(settled).toEqual([[1, undefined]]);
  });

  test("are not sent again after their answer while their rows still wait to be deleted", () => {
    sends.reconcile([row(1)]);
    sends.answered(1, DONE);
    sends.reconcile([row(1)]);
    sends.answered(1, DONE);
    expect(seqs()).toEqual([1]);
    expect(settled).toHaveLength(1);
  });

  test("to a full mailbox are sent again with growing pauses, and later messages do not overtake them", async () => {
    bus.full = true;
    sends.reconcile([row(1), row(2)]);
    await clock.advance(20_000);
    const attempts = bus.sent.length;
    expect(new Set(seqs())).toEqual(new Set([1]));
    expect(attempts).toBeLessThan(15);
    bus.full = false;
    await clock.advance(commitLimits.maxBackoff);
    sends.answered(1, DONE);
    expect(seqs().at(-1)).toBe(2);
  });

  test("without an answer are sent again, because answers may be lost", async () => {
    sends.reconcile([row(1)]);
    await clock.advance(sendLimits.repeatAfter);
    expect(seqs()).toEqual([1, 1]);
  });

  test("are finished when the target refuses them or they become dead letters, but not while it is unavailable", () => {
    const last: CairnError[] = [new Refused("a.b", "no"), new Defect("actor.step_failed", "buried")];
    const notYet: CairnError[] = [
      new Unavailable("actor.parked", "parked"),
      new Unavailable("store.unavailable", "away"),
      new Defect("actor.corrupt_snapshot", "broken"),
    ];
    sends.reconcile([row(1), row(2)]);
    last.forEach((error, i) => {
      sends.answered(i + 1, failure(error));
    });
    expect(settled.map(([seq, refusal]) => [seq, refusal?.code])).toEqual([
      [1, "a.b"],
      [2, "actor.step_failed"],
    ]);
    sends.reconcile([row(3)]);
    for (const error of notYet) sends.answered(3, failure(error));
    expect(settled).toHaveLength(2);
  });

  test("report once that their target is out of service, and are still sent again", async () => {
    sends.reconcile([row(1)]);
    for (const _ of [1, 2, 3]) sends.answered(1, failure(new Unavailable("actor.parked", "parked")));
    expect(withheld).toEqual([[1, "actor.parked"]]);
    await clock.advance(commitLimits.maxBackoff);
    expect(seqs()).toEqual([1, 1]);
    sends.answered(1, DONE);
    expect(settled).toEqual([[1, undefined]]);
  });

  test("report that their target has a newer version only after several attempts, because an upgrade may be running", async () => {
    sends.reconcile([row(1)]);
    const newer = failure(new Unavailable("actor.newer_version", "newer"));
    for (let i = 1; i < sendLimits.newerVersionAttempts; i++) sends.answered(1, newer);
    expect(withheld).toEqual([]);
    sends.answered(1, newer);
    expect(withheld).toEqual([[1, "actor.newer_version"]]);
  });

  test("are sent again without a report if the target's mailbox is full or its store is unavailable", () => {
    sends.reconcile([row(1)]);
    for (const error of [
      new Unavailable("store.unavailable", "away"),
      new Overloaded("actor.mailbox_full", "full"),
    ])
      for (let i = 0; i < 50; i++) sends.answered(1, failure(error));
    expect(withheld).toEqual([]);
  });

  test("are not sent again after the outbox is cleared", async () => {
    bus.full = true;
    sends.reconcile([row(1)]);
    await clock.advance(0);
    sends.clear();
    await clock.advance(60_000);
    expect(seqs()).toEqual([1]);
  });
});
