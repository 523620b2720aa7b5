/**
 * The contract that every message bus must fulfil. The test of each driver runs it. No test expects an
 * immediate answer, because a broker needs time.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { failure, type Message } from "../../../../actors/runtime/actor-messages.ts";
import { address, type Bus, type Delivery, shardOf } from "../../../../actors/runtime/index.ts";
import { Refused } from "../../../../machines/errors.ts";

export interface BusSubject {
  /** Two clients of the same bus. Each receives the messages that the other sends. */
  readonly here: Bus;
  readonly there: Bus;
  readonly close: () => Promise<void>;
  /**
   * Resolves when the bus has processed all acknowledgements. Absent if the bus processes acknowledgements
   * immediately.
   */
  readonly acknowledged?: () => Promise<void>;
}

/** @param open creates a bus whose mailboxes hold at most `capacity` commands */
export function holdsTheBusContract(name: string, open: (capacity: number) => Promise<BusSubject>): void {
  const target = address("counter", "a b/c.*>");
  const shard = shardOf(target);
  const message = (id: string, more: Partial<Message> = {}): Message => ({
    id,
    to: target,
    body: { type: "add", text: "ä€𝄞", nested: { list: [1, null] } },
    ...more,
  });

  describe(name, () => {
    let subject: BusSubject;
    beforeEach(async () => {
      subject = await open(8);
    });
    afterEach(() => subject.close());

    /** Creates a consumer that records all commands that are delivered to it. */
    async function consume(bus: Bus, fence: number) {
      const taken: Delivery[] = [];
      let deposed = 0;
      const stop = await bus.consume(shard, fence, {
        take: (delivery) => taken.push(delivery),
        replaced: () => {
          deposed += 1;
        },
      });
      return { taken, stop, ids: () => taken.map((delivery) => delivery.message.id), deposed: () => deposed };
    }

    describe("commands on a message bus", () => {
      test("wait for a consumer and are delivered in the order in which they were sent", async () => {
        for (const id of ["1", "2", "3"]) await subject.here.enqueue(message(id));
        const consumer = await consume(subject.there, 1);
        await subject.here.enqueue(message("4"));
        await until(() => consumer.taken.length === 4);
        expect(consumer.ids()).toEqual(["1", "2", "3", "4"]);
        expect(consumer.taken[0]?.message).toEqual(message("1"));
      });

      test("that are not acknowledged are delivered again, in order, to the next consumer", async () => {
        const first = await consume(subject.here, 1);
        for (const id of ["1", "2", "3"]) await subject.there.enqueue(message(id));
        await until(() => first.taken.length === 3);
        first.taken[1]?.ack();
        await settle(subject);
        const second = await consume(subject.there, 2);
        await until(() => second.taken.length === 2);
        expect(second.ids()).toEqual(["1", "3"]);
      });

      test("to several actors of one shard are delivered again in the order in which they were sent", async () => {
        const [other] = Array.from({ length: 10_000 }, (_, i) => address("counter", `other-${i}`)).filter(
          (actor) => shardOf(actor) === shard,
        );
        const first = await consume(subject.here, 1);
        for (let i = 1; i <= 12; i++) {
          await subject.there.enqueue(message(`${i}`, i % 2 === 0 && other ? { to: other } : {}));
        }
        await until(() => first.taken.length === 12);
        for (const at of [10, 0, 5, 3]) first.taken[at]?.ack();
        await settle(subject);
        const second = await consume(subject.there, 2);
        const left = ["2", "3", "5", "7", "8", "9", "10", "12"];
        await until(() => second.taken.length === left.length);
        second.taken[7]?.ack();
        second.taken[0]?.ack();
        await settle(subject);
        await subject.here.enqueue(message("13"));
        const third = await consume(subject.here, 3);
        await until(() => third.taken.length === left.length - 1);
        expect(second.ids().slice(0, left.length)).toEqual(left);
        expect(third.ids()).toEqual([...left.slice(1, 7), "13"]);
      });

      test("are delivered again when a caller repeats them after the acknowledgement", async () => {
        const consumer = await consume(subject.here, 1);
        for (let round = 1; round <= 3; round++) {
          await subject.there.enqueue(message("1", { replyTo: "_inbox.x" }));
          await until(() => consumer.taken.length === round);
          consumer.taken[round - 1]?.ack();
          await settle(subject);
        }
        expect(consumer.ids()).toEqual(["1", "1", "1"]);
      });

      test("are not delivered if they are for other shards", async () => {
        const consumer = await consume(subject.here, 1);
        const other = address("counter", "elsewhere");
        expect(shardOf(other)).not.toBe(shard);
        await subject.here.enqueue(message("1", { to: other }));
        await subject.here.enqueue(message("2"));
        await until(() => consumer.taken.length > 0);
        expect(consumer.ids()).toEqual(["2"]);
      });

      test("with one id are delivered once for each caller that waits for the answer", async () => {
        await subject.here.enqueue(message("1", { replyTo: "_inbox.x" }));
        await subject.there.enqueue(message("1", { replyTo: "_inbox.x" }));
        await subject.there.enqueue(message("1", { replyTo: "_inbox.y" }));
        const consumer = await consume(subject.here, 1);
        await until(() => consumer.taken.length === 2);
        await settle(subject);
        expect(consumer.taken.map((delivery) => delivery.message.replyTo)).toEqual(["_inbox.x", "_inbox.y"]);
      });

      test("beyond the capacity of a mailbox are refused until one is acknowledged", async () => {
        const consumer = await consume(subject.here, 1);
        for (let i = 1; i <= 8; i++) await subject.there.enqueue(message(String(i)));
        const refused = await errorOf(subject.there.enqueue(message("9")));
        expect(refused).toMatchObject({ code: "actor.mailbox_full", status: 429 });
        await subject.there.enqueue(message("other", { to: address("counter", "elsewhere") }));
        await until(() => consumer.taken.length === 8);
        consumer.taken[0]?.ack();
        await settle(subject);
        await subject.there.enqueue(message("9"));
        await until(() => consumer.taken.length === 9);
      });
    });

    describe("a consumer of a message bus", () => {
      test("is refused if its fence number is lower than the current one", async () => {
        await consume(subject.here, 5);
        expect(await errorOf(consume(subject.there, 4))).toMatchObject({ status: 503 });
      });

      test("is notified when another consumer replaces it, and can receive and acknowledge nothing more", async () => {
        const old = await consume(subject.here, 1);
        await subject.there.enqueue(message("1"));
        await until(() => old.taken.length === 1);
        const present = await consume(subject.there, 2);
        await until(() => old.deposed() === 1 && present.taken.length === 1);
        old.taken[0]?.ack();
        await subject.here.enqueue(message("2"));
        await until(() => present.taken.length === 2);
        const third = await consume(subject.here, 3);
        await until(() => third.taken.length === 2);
        expect(third.ids()).toEqual(["1", "2"]);
        expect(old.ids()).toEqual(["1"]);
      });

      test("receives nothing after it was stopped, but can acknowledge earlier deliveries", async () => {
        const draining = await consume(subject.here, 1);
        for (const id of ["1", "2"]) await subject.there.enqueue(message(id));
        await until(() => draining.taken.length === 2);
        draining.stop();
        await settle(subject);
        await subject.there.enqueue(message("3"));
        draining.taken[0]?.ack();
        await settle(subject);
        expect(draining.ids()).toEqual(["1", "2"]);
        const next = await consume(subject.there, 2);
        await until(() => next.taken.length === 2);
        expect(next.ids()).toEqual(["2", "3"]);
        expect(draining.deposed()).toBe(0);
      });
    });

    describe("a request on a message bus", () => {
      test("returns the answer or the refusal of the responder", async () => {
        subject.here.respond("cairn.query.1", async (payload) => ({ ok: true, body: { got: payload } }));
        subject.here.respond("cairn.query.2", async () => {
          throw new Refused("a.b", "not this", { status: 404 });
        });
        await settle(subject);
        expect(await subject.there.request("cairn.query.1", { n: 1 }, 5_000)).toEqual({
          ok: true,
          body: { got: { n: 1 } },
        });
        expect(await subject.there.request("cairn.query.2", null, 5_000)).toMatchObject({
          ok: false,
          error: { code: "a.b", status: 404 },
        });
      });

      test("is refused immediately without a responder, and times out without an answer", async () => {
        const unanswered = await subject.there
          .request("cairn.query.3", null, 5_000)
          .catch((error: unknown) => error);
        expect(unanswered).toMatchObject({ status: 503 });
        subject.here.respond("cairn.query.4", () => new Promise(() => {}));
        await settle(subject);
        const late = await errorOf(subject.there.request("cairn.query.4", null, 20));
        expect(late).toMatchObject({ status: 504 });
      });

      test("may be large, and so may its answer", async () => {
        const body = { text: "ä".repeat(1_500_000) };
        subject.here.respond("cairn.query.6", async (payload) => ({ ok: true, body: { ...body, payload } }));
        await settle(subject);
        for (let i = 0; i < 2; i++) {
          const answer = await subject.there.request("cairn.query.6", { i }, 10_000);
          expect(answer).toEqual({ ok: true, body: { ...body, payload: { i } } });
        }
      });

      test("goes to the newest responder, and is refused after that responder stops, even if an older responder still runs", async () => {
        subject.here.respond("cairn.query.5", async () => ({ ok: true, body: "old" }));
        await settle(subject);
        const stop = subject.there.respond("cairn.query.5", async () => ({ ok: true, body: "new" }));
        await settle(subject);
        expect(await subject.here.request("cairn.query.5", null, 5_000)).toEqual({ ok: true, body: "new" });
        stop();
        await settle(subject);
        expect(await errorOf(subject.here.request("cairn.query.5", null, 5_000))).toMatchObject({
          status: 503,
        });
      });

      test("is answered or refused immediately if the responder stops at the moment of the request", async () => {
        for (let round = 0; round < 40; round++) {
          const stop = subject.there.respond("cairn.query.7", async (n) => ({ ok: true, body: n }));
          await settle(subject);
          const asked = [1, 2, 3].map((n) => subject.here.request("cairn.query.7", n, 5_000).catch(failure));
          await Promise.resolve();
          stop();
          for (const [i, outcome] of (await Promise.all(asked)).entries()) {
            if (outcome.ok) expect(outcome.body).toBe(i + 1);
            else expect(outcome.error).toMatchObject({ status: 503 });
          }
        }
      });
    });

    test("an event on a message bus reaches every subscriber with a matching pattern, until it unsubscribes", async () => {
      const heard: string[] = [];
      const listen = (name: string) => (event: unknown, topic: string) =>
        heard.push(`${name} ${topic} ${JSON.stringify(event)}`);
      subject.here.subscribe("job.1.progress", listen("exact"));
      subject.there.subscribe("job.*.progress", listen("star"));
      subject.there.subscribe("job.>", listen("rest"));
      const leave = subject.here.subscribe("job.1.progress", listen("left"));
      await settle(subject);
      leave();
      await settle(subject);
      subject.there.publish("job.1.progress", { pages: 3 });
      subject.here.publish("job.2.progress.more", null);
      subject.here.publish("other.1.progress", { pages: 4 });
      await until(() => heard.length === 4);
      await settle(subject);
      expect(heard.toSorted()).toEqual([
        'exact job.1.progress {"pages":3}',
        'rest job.1.progress {"pages":3}',
        "rest job.2.progress.more null",
        'star job.1.progress {"pages":3}',
      ]);
    });

    test("an answer to an inbox on the message bus reaches its caller, however large it is", async () => {
      const heard: unknown[] = [];
      subject.here.subscribe("_inbox.asker", (event) => heard.push(event));
      await settle(subject);
      const large = { id: "1", text: "ä".repeat(1_500_000) };
      subject.there.publish("_inbox.asker", large);
      subject.here.publish("_inbox.asker", { id: "2" });
      await until(() => heard.length === 2);
      expect(heard).toContainEqual(large);
      expect(heard).toContainEqual({ id: "2" });
    });

    test("the message bus reports the patterns of all subscribers immediately, and again after each change", async () => {
      const leave = subject.there.subscribe("job.*.progress", () => {});
      await settle(subject);
      let reported: readonly string[] = [];
      const stop = subject.here.onPatterns((patterns) => {
        reported = patterns;
      });
      await until(() => reported.includes("job.*.progress"));
      const others = [
        subject.here.subscribe("job.1", () => {}),
        subject.there.subscribe("job.1", () => {}),
        subject.there.subscribe("job.>", () => {}),
      ];
      await until(() => reported.includes("job.>") && reported.includes("job.1"));
      leave();
      others[0]?.();
      await until(() => !reported.includes("job.*.progress"));
      expect(reported.toSorted()).toEqual(["job.1", "job.>"]);
      stop();
      subject.here.subscribe("late", () => {});
      await settle(subject);
      expect(reported).not.toContain("late");
    });
  });
}

/** Waits until a condition on the bus is true. */
export async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/**
 * Returns the error of a rejected promise. `expect().rejects` is not used, because it would block the message
 * ports over which the promise settles.
 */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return `no error: ${await promise}`;
  } catch (error) {
    return error;
  }
}

/**
 * Waits until the bus has received all messages that the clients have sent so far. A request of a client
 * arrives after the client's earlier messages.
 */
async function settle({ here, there, acknowledged }: BusSubject): Promise<void> {
  for (const bus of [here, there, here]) await bus.request("cairn.nobody", null, 5_000).catch(() => {});
  await acknowledged?.();
}
