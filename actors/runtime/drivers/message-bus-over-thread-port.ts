/**
 * The memory bus for worker threads: `servePort` runs in the thread of the bus, and `PortBus` in the worker.
 * One message port carries messages, leases and the store's requests. Messages are JSON text, so what works
 * here also works over a network.
 */
import { asCairnError, type ErrorBody, errorFromBody, Unavailable } from "../../../machines/errors.ts";
import { failure, type Message, type Outcome } from "../actor-messages.ts";
import { type Bus, type Consumer, type Delivery, INBOX } from "./message-bus.ts";
import type { LeaseTable } from "./shard-leases.ts";
import { SubscriptionIndex } from "./subscription-index.ts";

/** The methods of a MessagePort, a Worker or a worker scope that the bus uses. */
export interface Port {
  /** @param transfer buffers of the message that are moved to the other thread instead of copied */
  post(frame: unknown, transfer?: ArrayBuffer[]): void;
  listen(take: (frame: unknown) => void): void;
}

/**
 * A message between two threads: an array of an operation and its arguments. A call and its answer have the
 * same number.
 */
type Frame =
  | readonly ["call", number, string, string]
  | readonly ["answer", number, string]
  | readonly ["deliver", number, number, string]
  | readonly ["deposed", number]
  | readonly ["ack", number, number]
  | readonly ["publish", readonly (readonly [topic: string, event: string])[]]
  | readonly ["interest", readonly string[]]
  | readonly ["freed", readonly number[]]
  | readonly ["recovered"]
  | readonly ["heard", number, string, string]
  | readonly ["ask", number, string, string]
  | readonly ["told", number, string]
  | readonly ["store", number, Uint8Array]
  | readonly ["stored", number, Uint8Array | null, string | null];

type Answered<T = unknown> =
  | { readonly ok: true; readonly value?: T }
  | { readonly ok: false; readonly error: ErrorBody & { readonly status: number } };

const failed = (thrown: unknown): Answered => {
  const error = asCairnError(thrown);
  return { ok: false, error: { ...error.toBody(), status: error.status } };
};

const noResponder = (message: string) => new Unavailable("bus.no_responder", message);

/**
 * Collects all frames of one turn of the event loop and sends them as one message. The cost of a message to
 * another thread hardly depends on its size.
 */
function batched(port: Port): Port {
  let waiting: unknown[] = [];
  let moved: ArrayBuffer[] = [];
  const flush = () => {
    const frames = waiting;
    const transfer = moved;
    waiting = [];
    moved = [];
    port.post(frames.length === 1 ? frames[0] : ["many", frames], transfer);
  };
  return {
    post: (frame, transfer = []) => {
      waiting.push(frame);
      moved.push(...transfer);
      if (waiting.length === 1) queueMicrotask(flush);
    },
    listen: (take) =>
      port.listen((raw) => {
        // The function `flush` of the other thread sends either one frame or a list `["many", frames]`, so
        // the cast is safe.
        const frame = raw as readonly ["many", readonly unknown[]] | Frame;
        if (frame[0] !== "many") take(frame);
        else for (const inner of frame[1]) take(inner);
      }),
  };
}

export type StoreCall = (bytes: Uint8Array) => Promise<Uint8Array>;

/**
 * Handles the requests of a worker thread, in the thread that has the message bus. The returned function
 * removes everything that the worker has registered.
 */
export function servePort(
  plain: Port,
  { bus, leases, store }: { readonly bus: Bus; readonly leases: LeaseTable; readonly store: StoreCall },
): () => void {
  const port = batched(plain);
  const undo = new Map<number, () => void>();
  /** For each shard, the delivered messages that the worker has not acknowledged yet. */
  const deliveries = new Map<number, Map<number, Delivery>>();
  const asked = new Map<number, (outcome: Outcome) => void>();
  let nextDelivery = 0;
  let nextAsk = 0;

  // biome-ignore lint/suspicious/noExplicitAny: the other half of this file makes these calls, with these arguments
  const operations: Record<string, (args: any) => unknown> = {
    enqueue: (message: Message) => bus.enqueue(message),
    request: ({ subject, payload, timeout }: { subject: string; payload: unknown; timeout: number }) =>
      bus.request(subject, payload, timeout),
    consume: async ({ token, shard, fence }: { token: number; shard: number; fence: number }) => {
      const given = new Map<number, Delivery>();
      // The worker has started a new consumer of this shard. The bus delivers unacknowledged messages to it
      // again, so the deliveries to the earlier consumer are dropped.
      deliveries.set(shard, given);
      const stop = await bus.consume(shard, fence, {
        take: (delivery) => {
          nextDelivery += 1;
          given.set(nextDelivery, delivery);
          port.post(["deliver", token, nextDelivery, JSON.stringify(delivery.message)]);
        },
        replaced: () => port.post(["deposed", token]),
      });
      undo.set(token, stop);
    },
    respond: ({ token, subject }: { token: number; subject: string }) => {
      const stop = bus.respond(
        subject,
        (payload) =>
          new Promise<Outcome>((resolve) => {
            nextAsk += 1;
            asked.set(nextAsk, resolve);
            port.post(["ask", token, String(nextAsk), JSON.stringify(payload ?? null)]);
          }),
      );
      undo.set(token, stop);
    },
    subscribe: ({ token, pattern }: { token: number; pattern: string }) => {
      undo.set(
        token,
        bus.subscribe(pattern, (event, topic) =>
          port.post(["heard", token, topic, JSON.stringify(event ?? null)]),
        ),
      );
    },
    undo: (token: number) => {
      undo.get(token)?.();
      undo.delete(token);
    },
    take: ({ shards, owner }: { shards: number[]; owner: string }) => leases.take(shards, owner),
    renew: ({ shards, owner }: { shards: number[]; owner: string }) => leases.renew(shards, owner),
    release: ({ shards, owner }: { shards: number[]; owner: string }) => leases.release(shards, owner),
  };

  const stopPatterns = bus.onPatterns((patterns) => port.post(["interest", patterns]));
  const stopRecovered = bus.onRecovered(() => port.post(["recovered"]));
  const stopFreed = leases.onFreed((shards) => port.post(["freed", shards]));

  port.listen((raw) => {
    const frame = raw as Frame;
    switch (frame[0]) {
      case "call": {
        const [, call, operation, args] = frame;
        const answer = (value: Answered) => port.post(["answer", call, JSON.stringify(value)]);
        (async () => await operations[operation]?.(JSON.parse(args)))().then(
          (value) => answer({ ok: true, value: value ?? null }),
          (error) => answer(failed(error)),
        );
        return;
      }
      case "ack": {
        const [, shard, delivery] = frame;
        deliveries.get(shard)?.get(delivery)?.ack();
        deliveries.get(shard)?.delete(delivery);
        return;
      }
      case "publish":
        for (const [topic, event] of frame[1]) bus.publish(topic, JSON.parse(event));
        return;
      case "told": {
        asked.get(frame[1])?.(JSON.parse(frame[2]) as Outcome);
        asked.delete(frame[1]);
        return;
      }
      case "store":
        store(frame[2]).then(
          (bytes) => port.post(["stored", frame[1], bytes, null]),
          (error) => port.post(["stored", frame[1], null, JSON.stringify(failed(error))]),
        );
        return;
    }
  });

  return () => {
    stopPatterns();
    stopFreed();
    stopRecovered();
    for (const stop of undo.values()) stop();
    undo.clear();
    deliveries.clear();
    for (const settle of asked.values()) settle(failure(noResponder("The asked worker has ended.")));
    asked.clear();
  };
}

/**
 * The bus, the lease table and the store's byte channel for code in a worker. All three use one port to the
 * main thread.
 */
export class PortBus implements Bus, LeaseTable {
  readonly #port: Port;
  readonly #calls = new Map<number, (answer: Answered) => void>();
  readonly #storeCalls = new Map<
    number,
    { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void }
  >();
  readonly #consumers = new Map<number, { readonly shard: number; readonly consumer: Consumer }>();
  readonly #responders = new Map<number, (payload: unknown) => Promise<Outcome>>();
  readonly #listeners = new Map<number, (event: unknown, topic: string) => void>();
  readonly #patternListeners = new Set<(patterns: readonly string[]) => void>();
  readonly #freed = new Set<(shards: readonly number[]) => void>();
  readonly #recovered = new Set<() => void>();
  /** The topic patterns of all subscribers; `undefined` until they are known. */
  #subscriptions: SubscriptionIndex | undefined;
  /**
   * Events that were published in this turn of the event loop. They are sent together in one frame. Any other
   * frame is sent after them, which keeps the order.
   */
  #unsent: (readonly [topic: string, event: string])[] = [];
  #next = 0;

  constructor(port: Port) {
    this.#port = batched(port);
    this.#port.listen((raw) => this.#take(raw as Frame));
  }

  async enqueue(message: Message): Promise<void> {
    await this.#call("enqueue", message);
  }

  async consume(shard: number, fence: number, consumer: Consumer): Promise<() => void> {
    const token = this.#token();
    this.#consumers.set(token, { shard, consumer });
    await this.#call("consume", { token, shard, fence });
    return () => {
      this.#consumers.delete(token);
      this.#undo(token);
    };
  }

  async request(subject: string, payload: unknown, timeout: number): Promise<Outcome> {
    return (await this.#call("request", { subject, payload, timeout })) as Outcome;
  }

  respond(subject: string, answer: (payload: unknown) => Promise<Outcome>): () => void {
    const token = this.#token();
    this.#responders.set(token, answer);
    void this.#call("respond", { token, subject });
    return () => {
      this.#responders.delete(token);
      this.#undo(token);
    };
  }

  publish(topic: string, event: unknown): void {
    // An event without subscribers is not sent. A reply is always sent, because this thread may not know the
    // subscription of its receiver yet.
    if (this.#subscriptions && !topic.startsWith(INBOX) && !this.#subscriptions.matches(topic)) return;
    this.#unsent.push([topic, JSON.stringify(event ?? null)]);
    if (this.#unsent.length === 1) queueMicrotask(() => this.#flush());
  }

  onPatterns(listen: (patterns: readonly string[]) => void): () => void {
    this.#patternListeners.add(listen);
    if (this.#subscriptions) listen(this.#subscriptions.patterns);
    return () => {
      this.#patternListeners.delete(listen);
    };
  }

  subscribe(pattern: string, listen: (event: unknown, topic: string) => void): () => void {
    const token = this.#token();
    this.#listeners.set(token, listen);
    void this.#call("subscribe", { token, pattern });
    return () => {
      this.#listeners.delete(token);
      this.#undo(token);
    };
  }

  async take(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return (await this.#call("take", { shards, owner })) as number[];
  }

  async renew(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return (await this.#call("renew", { shards, owner })) as number[];
  }

  async release(shards: readonly number[], owner: string): Promise<void> {
    await this.#call("release", { shards, owner });
  }

  onRecovered(listen: () => void): () => void {
    this.#recovered.add(listen);
    return () => {
      this.#recovered.delete(listen);
    };
  }

  onFreed(listen: (shards: readonly number[]) => void): () => void {
    this.#freed.add(listen);
    return () => {
      this.#freed.delete(listen);
    };
  }

  /**
   * Sends an encoded request to the store in the main thread, and resolves with the encoded answer. The
   * buffer is moved to the main thread, so the caller must not use it again.
   */
  store(bytes: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const call = this.#token();
      this.#storeCalls.set(call, { resolve, reject });
      const { buffer } = bytes;
      this.#post(["store", call, bytes], buffer instanceof ArrayBuffer ? [buffer] : []);
    });
  }

  #token(): number {
    this.#next += 1;
    return this.#next;
  }

  #call(operation: string, args: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = this.#token();
      this.#calls.set(call, (answer) =>
        answer.ok ? resolve(answer.value) : reject(errorFromBody(answer.error)),
      );
      this.#post(["call", call, operation, JSON.stringify(args)]);
    });
  }

  #post(frame: Frame, transfer: ArrayBuffer[] = []): void {
    this.#flush();
    this.#port.post(frame, transfer);
  }

  #flush(): void {
    if (this.#unsent.length === 0) return;
    const events = this.#unsent;
    this.#unsent = [];
    this.#port.post(["publish", events]);
  }

  #undo(token: number): void {
    void this.#call("undo", token);
  }

  #take(frame: Frame): void {
    switch (frame[0]) {
      case "answer": {
        this.#calls.get(frame[1])?.(JSON.parse(frame[2]) as Answered);
        this.#calls.delete(frame[1]);
        return;
      }
      case "deliver": {
        const [, token, delivery, message] = frame;
        const consuming = this.#consumers.get(token);
        consuming?.consumer.take({
          message: JSON.parse(message) as Message,
          ack: () => this.#post(["ack", consuming.shard, delivery]),
        });
        return;
      }
      case "deposed":
        this.#consumers.get(frame[1])?.consumer.replaced();
        return;
      case "heard":
        this.#listeners.get(frame[1])?.(JSON.parse(frame[3]), frame[2]);
        return;
      case "ask": {
        const [, token, ask, payload] = frame;
        const reply = (outcome: Outcome) => this.#post(["told", Number(ask), JSON.stringify(outcome)]);
        const responder = this.#responders.get(token);
        if (!responder) reply(failure(noResponder("This worker does not answer that any more.")));
        else responder(JSON.parse(payload)).then(reply, (error) => reply(failure(error)));
        return;
      }
      case "interest":
        this.#subscriptions = new SubscriptionIndex(frame[1]);
        for (const listen of this.#patternListeners) listen(frame[1]);
        return;
      case "recovered":
        for (const listen of this.#recovered) listen();
        return;
      case "freed":
        for (const listen of this.#freed) listen(frame[1]);
        return;
      case "stored": {
        const [, call, bytes, error] = frame;
        const waiting = this.#storeCalls.get(call);
        this.#storeCalls.delete(call);
        if (bytes) waiting?.resolve(bytes);
        else {
          const answer = JSON.parse(error ?? "{}") as Answered;
          waiting?.reject(
            answer.ok
              ? new Unavailable("store.unavailable", "The store answered nothing.")
              : errorFromBody(answer.error),
          );
        }
        return;
      }
    }
  }
}
