/**
 * The queues of the shards at the broker. Each owner of a shard has a consumer of its own, named by the shard
 * and the fence (owner number). A delivered message stays in the stream until it is acknowledged.
 */
import {
  AckPolicy,
  createInbox,
  DeliverPolicy,
  type Msg,
  nanos,
  ReplayPolicy,
  type Subscription,
} from "nats";
import { Unavailable } from "../../../../machines/errors.ts";
import { type Message, unreadable } from "../../actor-messages.ts";
import { askLimits, busLimits } from "../../actor-runtime-limits.ts";
import type { Consumer } from "../message-bus.ts";
import { type CommandStream, STREAMS, SUBJECTS, streamOf } from "./command-streams-in-nats.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";
import { apiCodes, apiError, asBusError } from "./nats-errors.ts";

/**
 * Subject on which a node announces that it now consumes a shard. The shard's previous consumer then stops.
 */
const CONSUMES = "cairn.control.consumes";

/** The status code of a heartbeat, which the broker sends when a consumer has no messages. */
const HEARTBEAT = 100;
const LAST_DELIVERED = "Nats-Last-Consumer";

/**
 * Returns the name of a consumer, such as `shard-07-12`: the shard, with zeros so that names sort, and the
 * fence (owner number).
 */
const durableName = (shard: number, fence: number) => `shard-${String(shard).padStart(2, "0")}-${fence}`;

interface Durable {
  readonly shard: number;
  readonly fence: number;
  /** True if the consumer has a subscriber. The owner of the consumer is then still running. */
  readonly bound: boolean;
}

const DOT = 46;

/**
 * Returns the position of a delivery in its stream and its consumer, from its reply subject
 * `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>`. Newer servers add a
 * domain and an account before the stream, and a token at the end. The subject is parsed by hand, because
 * this function runs for every command.
 */
function positionOf(reply: string): { readonly inStream: number; readonly inConsumer: number } {
  let dots = 0;
  for (let i = 0; i < reply.length; i++) if (reply.charCodeAt(i) === DOT) dots += 1;
  let skip = dots === 8 ? 5 : 7;
  let at = 0;
  while (skip > 0) {
    at = reply.indexOf(".", at) + 1;
    skip -= 1;
  }
  const end = reply.indexOf(".", at);
  const inStream = Number(reply.slice(at, end));
  return { inStream, inConsumer: Number(reply.slice(end + 1, reply.indexOf(".", end + 1))) };
}

/** A shard that this node owns, with its consumer at the broker. */
interface HeldShard {
  readonly shard: number;
  readonly fence: number;
  readonly consumer: Consumer;
  /**
   * Sequence numbers of messages in the stream that were delivered and not acknowledged. They become invalid
   * when the stream is created again.
   */
  pending: Set<number>;
  /** The stream sequence number of the last delivered message. */
  lastDelivered: number;
  /**
   * The creation time of the stream to which `pending` and `lastDelivered` refer. A stream that is created
   * again has new sequence numbers.
   */
  streamCreatedAt: string | undefined;
  subscription: Subscription | undefined;
  /**
   * Number of checks since the last message or heartbeat of the broker. `undefined` until the broker has
   * created the consumer.
   */
  silent: number | undefined;
  stopped: boolean;
}

/**
 * Consumes the queues of shards. A new consumer is started when a shard is taken, when the broker is
 * reachable again, and when a consumer is silent. It delivers every unacknowledged message again in order;
 * messages that are already known are skipped.
 */
export class ShardQueues {
  readonly #broker: BrokerConnection;
  readonly #stream: CommandStream;
  readonly #acknowledge: (subject: string) => void;
  readonly #held = new Map<number, HeldShard>();
  readonly #decoder = new TextDecoder();
  #listing: Promise<readonly Durable[]> | undefined;
  readonly #checkTimer: ReturnType<typeof setInterval>;

  /**
   * Creates the queues without consuming any shard yet.
   * @param acknowledge function that acknowledges a delivery by its reply subject
   */
  constructor(broker: BrokerConnection, stream: CommandStream, acknowledge: (subject: string) => void) {
    this.#broker = broker;
    this.#stream = stream;
    this.#acknowledge = acknowledge;
    broker.subscribe(CONSUMES, (msg) => {
      const { shard, fence } = msg.json<{ readonly shard: number; readonly fence: number }>();
      this.#replaced(shard, fence);
    });
    broker.onBack(() => void this.#recover(this.#held.values()));
    this.#checkTimer = setInterval(() => this.#checkSilence(), busLimits.heartbeatEvery);
  }

  async consume(shard: number, fence: number, consumer: Consumer): Promise<() => void> {
    const before = this.#held.get(shard);
    if (before && before.fence > fence) throw staleConsumer(shard);
    const holding: HeldShard = {
      shard,
      fence,
      consumer,
      pending: new Set(),
      lastDelivered: 0,
      streamCreatedAt: this.#stream.createdAt.get(streamOf(shard)),
      subscription: undefined,
      silent: undefined,
      stopped: false,
    };
    this.#held.set(shard, holding);
    if (before) this.#endReplaced(before);
    try {
      await this.#broker.whenConnected(busLimits.jetStreamPatience);
      await this.#start(holding, { restart: false });
    } catch (error) {
      if (this.#held.get(shard) === holding) this.#held.delete(shard);
      this.#end(holding);
      throw asBusError(error, this.#broker.serverNames);
    }
    this.#broker.publish(CONSUMES, JSON.stringify({ shard, fence }));
    return () => this.#end(holding);
  }

  /**
   * Ends the consumer of this node when another node consumes the shard with a higher fence (owner number).
   */
  #replaced(shard: number, fence: number): void {
    const holding = this.#held.get(shard);
    if (!holding || holding.fence >= fence) return;
    this.#held.delete(shard);
    this.#endReplaced(holding);
  }

  #endReplaced(holding: HeldShard): void {
    const { stopped } = holding;
    this.#end(holding);
    if (!stopped) holding.consumer.replaced();
  }

  #end(holding: HeldShard): void {
    holding.stopped = true;
    holding.subscription?.unsubscribe();
    holding.subscription = undefined;
  }

  /**
   * Takes the queue of a shard: deletes the consumers of earlier owners, and creates one that delivers all
   * waiting messages in order.
   */
  async #start(holding: HeldShard, { restart }: { readonly restart: boolean }): Promise<void> {
    const { shard, fence } = holding;
    holding.subscription?.unsubscribe();
    const inbox = createInbox();
    let next = 1;
    const subscription = this.#broker.subscribe(inbox, (msg) => {
      if (holding.subscription !== subscription) return;
      holding.silent = 0;
      const { inStream, inConsumer } = msg.reply
        ? positionOf(msg.reply)
        : { inStream: 0, inConsumer: nextDelivery(msg) };
      if (inConsumer !== next) {
        // The sequence number shows that a delivery was lost. The broker would deliver it later, out of
        // order. The consumer is created again, so that all messages arrive in order.
        this.#broker.log("warn", "deliveries were lost; the shard's queue is read again", { shard });
        void this.#restart(holding);
      } else if (msg.reply) {
        next += 1;
        this.#deliver(holding, inStream, msg.reply, msg.data);
      }
    });
    holding.subscription = subscription;
    holding.silent = undefined;
    // The old consumer is removed first. Otherwise the broker would keep it, and deliver only the messages
    // after its last delivery instead of all waiting messages.
    if (restart) await this.#remove(shard, fence);
    for (;;) {
      try {
        const added = this.#broker.manager.consumers.add(streamOf(shard), {
          durable_name: durableName(shard, fence),
          filter_subject: `${SUBJECTS}.${shard}.>`,
          deliver_subject: inbox,
          deliver_policy: DeliverPolicy.All,
          replay_policy: ReplayPolicy.Instant,
          ack_policy: AckPolicy.Explicit,
          ack_wait: nanos(busLimits.acknowledgeWithin),
          max_ack_pending: busLimits.unacknowledged,
          idle_heartbeat: nanos(busLimits.heartbeatEvery),
          // The broker stores the consumer only in memory. If the consumer is lost, no message is lost,
          // because the messages are in the stream.
          mem_storage: true,
        });
        await this.#broker.answer(added);
        holding.silent = 0;
        return;
      } catch (error) {
        if (apiError(error).code !== apiCodes.filterTaken) throw error;
      }
      const others = await this.#consumersOf(shard);
      // The broker has refused to create a consumer, but the list has no other one. So the broker is still
      // removing an earlier consumer, and the creation is tried again after a pause.
      if (others.length === 0) await new Promise((resolve) => setTimeout(resolve, askLimits.pollEvery));
      for (const other of others) {
        // A consumer with a higher fence (owner number) and a bound subscriber belongs to a newer owner, so
        // this owner gives up. All other consumers are removed: they are left over, or their owner creates
        // them again.
        if (other.fence > fence && other.bound) throw staleConsumer(shard);
        await this.#remove(shard, other.fence);
      }
    }
  }

  #deliver(holding: HeldShard, sequence: number, reply: string, data: Uint8Array): void {
    const { pending } = holding;
    const acknowledge = () => {
      pending.delete(sequence);
      // While the broker is unreachable, the acknowledgement is lost. The next consumer delivers the message
      // again.
      this.#acknowledge(reply);
    };
    if (sequence <= holding.lastDelivered) {
      // The message was delivered before. Either its command is still running, or its acknowledgement was
      // lost and is sent again.
      if (!pending.has(sequence)) acknowledge();
      return;
    }
    holding.lastDelivered = sequence;
    pending.add(sequence);
    holding.consumer.take({ message: this.#read(holding.shard, data), ack: acknowledge });
  }

  #read(shard: number, data: Uint8Array): Message {
    const text = this.#decoder.decode(data);
    try {
      // `enqueue` of this or an older release wrote this message, so the cast is safe. When another program
      // wrote it, the shard host makes it a dead letter.
      return JSON.parse(text) as Message;
    } catch {
      return unreadable(text, shard);
    }
  }

  async #consumersOf(shard: number): Promise<readonly Durable[]> {
    // Calls at the same time share one list of all consumers, because many shards are often taken at once.
    this.#listing ??= this.#broker.answer(this.#list()).finally(() => {
      this.#listing = undefined;
    });
    return (await this.#listing).filter((durable) => durable.shard === shard);
  }

  async #list(): Promise<readonly Durable[]> {
    return (await Promise.all(STREAMS.map((stream) => this.#listOf(stream)))).flat();
  }

  async #listOf(stream: string): Promise<readonly Durable[]> {
    const durables: Durable[] = [];
    for await (const info of this.#broker.manager.consumers.list(stream)) {
      // A consumer may be removed while the list is read. The list then contains `null` for it, although the
      // type of the list excludes `null`.
      const { name, push_bound } = info ?? { name: "" };
      const found = /^shard-(\d+)-(\d+)$/.exec(name);
      if (found)
        durables.push({ shard: Number(found[1]), fence: Number(found[2]), bound: push_bound === true });
    }
    return durables;
  }

  async #remove(shard: number, fence: number): Promise<void> {
    try {
      const { consumers } = this.#broker.manager;
      await this.#broker.answer(consumers.delete(streamOf(shard), durableName(shard, fence)));
    } catch (error) {
      if (apiError(error).code !== apiCodes.consumerNotFound) throw error;
    }
  }

  /**
   * Finds consumers to which the broker has sent nothing during several checks in a row. Checks are counted
   * instead of seconds: after a pause, the process must first read the messages that have already arrived.
   */
  #checkSilence(): void {
    if (!this.#broker.connected) return;
    const silent: HeldShard[] = [];
    for (const holding of this.#held.values()) {
      if (holding.stopped || holding.silent === undefined) continue;
      holding.silent += 1;
      if (holding.silent > busLimits.heartbeatsMissed) silent.push(holding);
    }
    if (silent.length === 0) return;
    for (const holding of silent) holding.silent = 0;
    const shards = silent.map(({ shard }) => shard);
    this.#broker.log("warn", "NATS is silent about these shards; their queues are read again", { shards });
    void this.#recover(silent);
  }

  /** Starts the consumers of shards again, after deliveries, acknowledgements or streams were lost. */
  async #recover(held: Iterable<HeldShard>): Promise<void> {
    const concerned = [...held];
    try {
      await this.#stream.ensure();
    } catch (error) {
      this.#broker.log("warn", "the streams of commands are not available yet", { error: String(error) });
      this.#later(() => this.#recover(concerned));
      return;
    }
    const { createdAt } = this.#stream;
    for (const holding of concerned) {
      if (holding.stopped) continue;
      const stream = createdAt.get(streamOf(holding.shard));
      if (stream !== holding.streamCreatedAt) {
        holding.streamCreatedAt = stream;
        holding.lastDelivered = 0;
        holding.pending = new Set();
      }
      void this.#restart(holding);
    }
  }

  async #restart(holding: HeldShard): Promise<void> {
    const isStill = () => this.#held.get(holding.shard) === holding && !holding.stopped;
    if (!isStill()) return;
    const begun = this.#start(holding, { restart: true });
    const { subscription } = holding;
    try {
      await begun;
    } catch (error) {
      // The error concerns a consumer that was replaced meanwhile, or a shard that this node no longer holds.
      // So the consumer is not restarted.
      if (!isStill() || holding.subscription !== subscription) return;
      if (error instanceof Unavailable && error.code === STALE) {
        this.#held.delete(holding.shard);
        this.#endReplaced(holding);
        return;
      }
      this.#broker.log("warn", "a shard's queue cannot be consumed yet", {
        shard: holding.shard,
        error: String(error),
      });
      // Without a connection to the broker, the consumer is created later, when the connection is back.
      this.#later(() => (this.#broker.connected ? this.#recover([holding]) : Promise.resolve()));
    }
  }

  #later(work: () => Promise<void>): void {
    setTimeout(() => void work(), busLimits.reconnectEvery);
  }

  /** Stops the checks for silent consumers. It does not close the connection, which belongs to the caller. */
  close(): void {
    clearInterval(this.#checkTimer);
  }
}

/**
 * Returns the consumer sequence number of the next delivery from a heartbeat of the broker. Returns NaN if
 * the message is no heartbeat.
 */
function nextDelivery({ headers }: Msg): number {
  if (headers?.code !== HEARTBEAT) return Number.NaN;
  return Number(headers.get(LAST_DELIVERED)) + 1;
}

const STALE = "bus.stale_consumer";

function staleConsumer(shard: number): Unavailable {
  return new Unavailable(STALE, `Shard ${shard} is consumed with a newer fence.`);
}
