/**
 * The message bus of a cluster over NATS: durable queues for commands, requests for queries, and topics for
 * events, which may be lost. When sender and receiver are on the same node, only commands go through the
 * broker.
 */
import { ErrorCode, type Msg, NatsError } from "nats";
import { asCairnError, TimedOut, Unavailable } from "../../../../machines/errors.ts";
import { failure, type Message, type Outcome } from "../../actor-messages.ts";
import { busLimits } from "../../actor-runtime-limits.ts";
import { type Bus, type Consumer, INBOX, topicMatches } from "../message-bus.ts";
import { CommandStream, type StreamOptions } from "./command-streams-in-nats.ts";
import { LargeReplies } from "./large-replies-over-nats.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";
import { tooLarge } from "./nats-errors.ts";
import { OutgoingMessages, TOPICS } from "./outgoing-messages-over-nats.ts";
import { ShardQueues } from "./shard-queues-in-nats.ts";
import { RemoteSubscriptions } from "./subscriptions-of-other-nodes.ts";

type Answer = (payload: unknown) => Promise<Outcome>;
type Listen = (event: unknown, topic: string) => void;

/**
 * Subject on which a node announces that it is the new responder of a subject. The previous responder then
 * stops answering.
 */
const ANSWERS = "cairn.control.answers";

interface Responder {
  readonly answer: Answer;
  readonly leave: () => void;
}

export class NatsBus implements Bus {
  readonly #broker: BrokerConnection;
  readonly #stream: CommandStream;
  readonly #queues: ShardQueues;
  readonly #largeReplies: LargeReplies;
  readonly #remote: RemoteSubscriptions;
  readonly #responders = new Map<string, Responder>();
  /**
   * For each subject, the open requests to other nodes. A request is stored as the function that rejects it
   * with an error.
   */
  readonly #openRequests = new Map<string, Set<(error: Error) => void>>();
  readonly #listeners = new Map<string, { readonly listeners: Set<Listen>; readonly leave: () => void }>();
  readonly #wild = new Set<string>();
  readonly #patternListeners = new Set<(patterns: readonly string[]) => void>();
  readonly #recovered = new Set<() => void>();
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  readonly #outgoing: OutgoingMessages;

  private constructor(broker: BrokerConnection, stream: CommandStream) {
    this.#broker = broker;
    this.#stream = stream;
    const self = crypto.randomUUID();
    this.#largeReplies = new LargeReplies(broker, self);
    this.#remote = new RemoteSubscriptions(broker, self, () => this.#reportPatterns());
    this.#outgoing = new OutgoingMessages(broker, this.#largeReplies);
    this.#queues = new ShardQueues(broker, stream, (subject) => this.#outgoing.acknowledge(subject));
    broker.subscribe(ANSWERS, (msg) => {
      const subject = msg.string();
      this.#responders.get(subject)?.leave();
      this.#responders.delete(subject);
      this.#replaced(subject);
    });
    broker.onBack(() => {
      for (const listen of [...this.#recovered]) listen();
    });
  }

  /** Connects the bus. Throws `bus.not_capable` when the broker refuses the streams of commands. */
  static async open(broker: BrokerConnection, options: StreamOptions): Promise<NatsBus> {
    const stream = new CommandStream(broker, options);
    await stream.ensure();
    return new NatsBus(broker, stream);
  }

  enqueue(message: Message): Promise<void> {
    return this.#stream.enqueue(message);
  }

  async consume(shard: number, fence: number, consumer: Consumer): Promise<() => void> {
    return await this.#queues.consume(shard, fence, consumer);
  }

  async request(subject: string, payload: unknown, timeout: number): Promise<Outcome> {
    const local = this.#responders.get(subject);
    const late = () => new TimedOut("bus.timeout", `No answer from ${subject} within ${timeout} ms.`);
    if (local) return await within(timeout, local.answer(payload).catch(failure), late);
    const until = performance.now() + timeout;
    await this.#broker.whenConnected(timeout);
    const bytes = this.#encoder.encode(JSON.stringify(payload ?? null));
    const largest = this.#broker.largest;
    if (bytes.length > largest) throw tooLarge("A request", bytes.length, largest);
    const asked = this.#broker.connection.request(subject, bytes, { timeout });
    const answer = await this.#unlessReplaced(subject, this.#broker.answer(asked)).catch((error: unknown) => {
      if (!(error instanceof NatsError)) throw error;
      if (error.code === ErrorCode.NoResponders) {
        throw new Unavailable("bus.no_responder", `${subject} has no responder at the moment.`);
      }
      if (error.code === ErrorCode.Timeout) throw late();
      throw asCairnError(error, "bus.failed");
    });
    const text = await this.#largeReplies.resolve(answer.data, answer.headers, until - performance.now());
    // The method `#answer` of another node wrote this outcome, so the cast is safe.
    return JSON.parse(this.#decoder.decode(text)) as Outcome;
  }

  /**
   * Returns the answer to a request on the subject. Rejects when another node takes over the subject, because
   * the earlier node may have stopped without an answer.
   *
   * @param asked the promise of the answer
   */
  async #unlessReplaced<T>(subject: string, asked: Promise<T>): Promise<T> {
    const { promise: replaced, reject } = Promise.withResolvers<never>();
    const open = this.#openRequests.get(subject) ?? new Set();
    this.#openRequests.set(subject, open.add(reject));
    try {
      return await Promise.race([asked, replaced]);
    } finally {
      open.delete(reject);
      if (open.size === 0 && this.#openRequests.get(subject) === open) this.#openRequests.delete(subject);
    }
  }

  #replaced(subject: string): void {
    const why = `The responder of ${subject} was replaced before it answered. Ask again.`;
    for (const reject of this.#openRequests.get(subject) ?? [])
      reject(new Unavailable("bus.unavailable", why));
  }

  respond(subject: string, answer: Answer): () => void {
    this.#responders.get(subject)?.leave();
    this.#replaced(subject);
    const subscription = this.#broker.subscribe(subject, (msg) => {
      const asked: unknown = JSON.parse(this.#decoder.decode(msg.data));
      if (msg.reply) void this.#answer(answer(asked), msg.reply);
    });
    this.#broker.publish(ANSWERS, subject);
    // `drain` still delivers the requests that the broker has already sent, so they get an answer. Then the
    // subscription ends. An error of `drain` is ignored, because a closed connection cannot drain.
    const responder = { answer, leave: () => void subscription.drain().catch(() => {}) };
    this.#responders.set(subject, responder);
    return () => {
      responder.leave();
      if (this.#responders.get(subject) === responder) this.#responders.delete(subject);
    };
  }

  async #answer(answered: Promise<Outcome>, asker: string): Promise<void> {
    const outcome = await answered.catch(failure);
    const bytes = this.#encoder.encode(JSON.stringify(outcome));
    if (bytes.length <= busLimits.inlineBytes) this.#broker.publish(asker, bytes);
    else this.#broker.publish(asker, undefined, this.#largeReplies.store(bytes));
  }

  publish(topic: string, event: unknown): void {
    const reply = topic.startsWith(INBOX);
    const local = this.#listeners.get(topic);
    this.#notifyListeners(topic, event);
    // A reply has exactly one receiver. If the receiver is on this node, the reply is not sent to the broker.
    if (reply ? local !== undefined : !this.#remote.hasSubscriber(topic)) return;
    this.#outgoing.publish(topic, event);
  }

  #notifyListeners(topic: string, event: unknown): void {
    for (const listen of this.#listeners.get(topic)?.listeners ?? []) listen(event, topic);
    for (const pattern of this.#wild) {
      if (!topicMatches(pattern, topic)) continue;
      for (const listen of this.#listeners.get(pattern)?.listeners ?? []) listen(event, topic);
    }
  }

  subscribe(pattern: string, listen: Listen): () => void {
    const listening = this.#listeners.get(pattern);
    const listeners = listening?.listeners ?? new Set();
    listeners.add(listen);
    if (!listening) {
      const wild = /[*>]/.test(pattern);
      const subscription = this.#broker.subscribe(`${TOPICS}${pattern}`, (msg) => {
        if (msg.headers) void this.#receiveLarge(msg, listeners);
        else this.#receive(wild ? topicOf(msg) : pattern, msg.data, listeners);
      });
      this.#listeners.set(pattern, { listeners, leave: () => subscription.unsubscribe() });
      if (wild) this.#wild.add(pattern);
      this.#changed();
    }
    return () => {
      listeners.delete(listen);
      const present = this.#listeners.get(pattern);
      if (listeners.size > 0 || present?.listeners !== listeners) return;
      present.leave();
      this.#listeners.delete(pattern);
      this.#wild.delete(pattern);
      this.#changed();
    };
  }

  #receive(topic: string, data: Uint8Array, listeners: ReadonlySet<Listen>): void {
    const text = this.#decoder.decode(data);
    // Each listener gets its own copy of the event, so that it cannot change the event of another listener.
    for (const listen of [...listeners]) {
      const event: unknown = JSON.parse(text);
      // A message to a caller's inbox is a list of answers from another node (see
      // `outgoing-messages-over-nats.ts`). Each answer is passed to the listener.
      if (!topic.startsWith(INBOX)) listen(event, topic);
      else for (const answer of event as readonly unknown[]) listen(answer, topic);
    }
  }

  async #receiveLarge(msg: Msg, listeners: ReadonlySet<Listen>): Promise<void> {
    const { data, headers } = msg;
    const topic = topicOf(msg);
    try {
      this.#receive(
        topic,
        await this.#largeReplies.resolve(data, headers, busLimits.largeReplyFor),
        listeners,
      );
    } catch (error) {
      this.#broker.log("warn", "a large reply was lost; its caller will ask again", {
        topic,
        error: String(error),
      });
    }
  }

  onPatterns(listen: (patterns: readonly string[]) => void): () => void {
    this.#patternListeners.add(listen);
    listen(this.#subscribed());
    return () => {
      this.#patternListeners.delete(listen);
    };
  }

  onRecovered(listen: () => void): () => void {
    this.#recovered.add(listen);
    return () => {
      this.#recovered.delete(listen);
    };
  }

  #subscribed(): readonly string[] {
    return [...new Set([...this.#listeners.keys(), ...this.#remote.patterns])];
  }

  #changed(): void {
    this.#remote.set([...this.#listeners.keys()]);
    this.#reportPatterns();
  }

  #reportPatterns(): void {
    if (this.#patternListeners.size === 0) return;
    const patterns = this.#subscribed();
    for (const listen of this.#patternListeners) listen(patterns);
  }

  /** Closes the bus. Its connection is closed by the code that opened it. */
  close(): void {
    this.#outgoing.flush();
    this.#remote.close();
    this.#queues.close();
    this.#largeReplies.close();
  }
}

const topicOf = ({ subject }: Msg) => subject.slice(TOPICS.length);

async function within<T>(timeout: number, work: Promise<T>, late: () => Error): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), timeout);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
