/**
 * The streams that store commands at the broker, each command once and in order for each actor. Every
 * consumer examines all commands of its stream, so the shards are spread over several streams. A publish
 * without an answer is repeated with the same message id, and the broker removes the duplicate.
 */
import { createHash } from "node:crypto";
import { DiscardPolicy, nanos, RetentionPolicy, StorageType } from "nats";
import { asCairnError, Overloaded, Unavailable } from "../../../../machines/errors.ts";
import { type Address, allShards, formatAddress, shardOf } from "../../actor-address.ts";
import type { Message } from "../../actor-messages.ts";
import { busLimits } from "../../actor-runtime-limits.ts";
import { ensureTogether } from "./create-nats-streams-and-buckets.ts";
import { JetStreamPublisher } from "./jetstream-publisher.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";
import { apiCodes, apiError, brokerAway, tooLarge } from "./nats-errors.ts";

const NAME = "CAIRN_COMMANDS";
export const STREAMS: readonly string[] = Array.from({ length: busLimits.streams }, (_, i) => `${NAME}_${i}`);
/** Prefix of the subjects of commands: `cairn.cmd.<shard>.<kind>.<base64url id>`. */
export const SUBJECTS = "cairn.cmd";

/**
 * Bytes reserved for the NATS header with the message id. The header counts towards the size of a message.
 */
const HEADER_BYTES = 256;

/** Returns the name of the stream for a shard's commands. */
export function streamOf(shard: number): string {
  return `${NAME}_${shard % busLimits.streams}`;
}

export interface StreamOptions {
  /** Maximum number of waiting commands of one actor. */
  readonly capacity: number;
  /** Number of NATS servers that store the stream. */
  readonly replicas: number;
  /** Maximum time in milliseconds that a command waits for an unreachable broker. */
  readonly patience?: number;
}

/**
 * Returns the subject of an actor's commands. Its id is encoded as base64url, because it may contain
 * characters that are invalid in a subject.
 */
function subjectOf(to: Address): string {
  return `${SUBJECTS}.${shardOf(to)}.${to.kind}.${Buffer.from(to.id).toString("base64url")}`;
}

/**
 * Matches the identifying text of a command (actor, command id, reply topic and deadline, joined by `#`) if
 * it is plain ASCII. Such a text can be used in a message header unchanged. Any other text is hashed.
 */
const PLAIN = /^[!-"$-~]+#[!-"$-~]+#[!-"$-~]*#[\d.]*$/;
const PLAIN_BYTES = 160;

/**
 * Returns the message id by which the broker detects duplicates. Equal commands with different callers or
 * deadlines have different ids, so that each caller gets an answer. If the id does not fit into a header, it
 * is replaced by a hash without `#`.
 */
function identityOf({ to, id, replyTo = "", expires }: Message, after: number | undefined): string {
  const key = `${formatAddress(to)}#${id}#${replyTo}#${expires ?? ""}`;
  const plain = key.length <= PLAIN_BYTES && PLAIN.test(key);
  const name = plain ? key : hashOf([to.kind, to.id, id, replyTo, expires ?? null]);
  // `after` is set when a command is published again: it is the sequence number of the earlier message. The
  // prefix `<after>@` makes the new id different from the id of the earlier message.
  return after === undefined ? name : `${after}@${name}`;
}

function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

export class CommandStream {
  readonly #broker: BrokerConnection;
  readonly #options: StreamOptions;
  readonly #publications: JetStreamPublisher;
  readonly #made = new Map<string, string>();
  #ensuring: Promise<void> | undefined;
  /**
   * For each subject (address) of an actor: a promise for the failed command that is being published again.
   * Later commands of the actor wait for it, so that their order is kept.
   */
  readonly #held = new Map<string, Promise<void>>();
  /** Caches the NATS subject of each actor, because building a subject costs more than a lookup. */
  readonly #subjects = new Map<string, string>();

  constructor(broker: BrokerConnection, options: StreamOptions) {
    this.#broker = broker;
    this.#options = options;
    this.#publications = new JetStreamPublisher(broker);
  }

  /**
   * For each stream name: the creation time of the stream. If it changes, the stream was created again and
   * its sequence numbers start at 1 again.
   */
  get createdAt(): ReadonlyMap<string, string> {
    return new Map(this.#made);
  }

  /**
   * Creates those streams of commands that do not exist. Throws `bus.not_capable` when the broker refuses
   * them.
   */
  async ensure(): Promise<void> {
    this.#ensuring ??= this.#broker.answer(this.#ensureStreams()).finally(() => {
      this.#ensuring = undefined;
    });
    await this.#ensuring;
  }

  async #ensureStreams(): Promise<void> {
    await Promise.all(STREAMS.map((name) => ensureTogether(() => this.#ensureStream(name))));
  }

  async #ensureStream(name: string): Promise<void> {
    const { manager } = this.#broker;
    const wanted = {
      subjects: allShards
        .filter((shard) => streamOf(shard) === name)
        .map((shard) => `${SUBJECTS}.${shard}.>`),
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      max_msgs_per_subject: this.#options.capacity,
      duplicate_window: nanos(busLimits.dedupe),
      num_replicas: this.#options.replicas,
    };
    const found = await manager.streams.info(name).catch((error: unknown) => {
      if (apiError(error).code !== apiCodes.streamNotFound) throw error;
    });
    if (found?.config.max_msgs_per_subject === wanted.max_msgs_per_subject) {
      this.#made.set(name, found.created);
      return;
    }
    const fixed = {
      name,
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
    };
    const made = found
      ? await manager.streams.update(name, { ...found.config, ...wanted })
      : await manager.streams.add({ ...fixed, ...wanted });
    this.#made.set(name, made.created);
  }

  async enqueue(message: Message): Promise<void> {
    const subject = this.#subjectOf(message.to);
    const text = JSON.stringify(message);
    const { largest } = this.#broker;
    // One UTF-16 unit takes at most three bytes in UTF-8. The exact size is computed only for a text that may
    // be too large.
    if (text.length * 3 > largest && Buffer.byteLength(text) > largest - HEADER_BYTES) {
      throw tooLarge("A command", Buffer.byteLength(text), largest);
    }
    const before = this.#held.get(subject);
    if (before) await before;
    try {
      await this.#publish(message, subject, text, undefined);
    } catch (error) {
      if (!isAway(error)) throw refusal(error, message, this.#options.capacity);
      await this.#insist(message, subject, text);
    }
  }

  #subjectOf(to: Address): string {
    const name = formatAddress(to);
    let subject = this.#subjects.get(name);
    if (subject === undefined) {
      if (this.#subjects.size >= busLimits.knownSubjects) this.#subjects.clear();
      subject = subjectOf(to);
      this.#subjects.set(name, subject);
    }
    return subject;
  }

  /**
   * Publishes a command until the broker has stored it, but at most for the time `patience`. The broker
   * detects duplicates by their message id.
   */
  async #insist(message: Message, subject: string, text: string): Promise<void> {
    const before = this.#held.get(subject);
    const trying = (async () => {
      await before;
      const until = performance.now() + (this.#options.patience ?? busLimits.enqueuePatience);
      for (;;) {
        try {
          await this.#broker.whenConnected(Math.max(until - performance.now(), 0));
          await this.#publish(message, subject, text, undefined);
          return;
        } catch (error) {
          if (!isAway(error)) throw refusal(error, message, this.#options.capacity);
          if (performance.now() >= until) throw brokerAway(this.#broker.serverNames, error);
          await new Promise((resolve) => setTimeout(resolve, busLimits.reconnectEvery));
          // Creates the JetStream streams again, in case the broker has lost them. If the creation fails, the
          // next publish reports the error.
          if (this.#broker.connected) await this.ensure().catch(() => {});
        }
      }
    })();
    const quiet = trying.catch(() => {});
    this.#held.set(subject, quiet);
    try {
      await trying;
    } finally {
      if (this.#held.get(subject) === quiet) this.#held.delete(subject);
    }
  }

  async #publish(message: Message, subject: string, text: string, after: number | undefined): Promise<void> {
    if (!this.#broker.connected) throw brokerAway(this.#broker.serverNames);
    const first = await this.#publications.publish(subject, text, identityOf(message, after));
    if (!first || (await this.#waits(first.stream, first.seq))) return;
    // The broker has stored this command before, and its message has already left the stream. The caller
    // still needs the outcome. So the command is published again under a new id, and the actor answers with
    // the recorded outcome.
    await this.#publish(message, subject, text, first.seq);
  }

  async #waits(stream: string, seq: number): Promise<boolean> {
    try {
      await this.#broker.answer(this.#broker.manager.streams.getMessage(stream, { seq }));
      return true;
    } catch (error) {
      if (apiError(error).code === apiCodes.messageNotFound || apiError(error).status === 404) return false;
      throw error;
    }
  }
}

function isFull(error: unknown): boolean {
  const { code, message } = apiError(error);
  return code === apiCodes.notStored && /per subject/.test(message);
}

/** Whether the broker did not answer. The result of the request is then unknown. */
function isAway(error: unknown): boolean {
  if (error instanceof Unavailable) return error.code === "bus.unavailable";
  return !isFull(error) && apiError(error).away;
}

function refusal(error: unknown, message: Message, capacity: number): Error {
  if (isFull(error)) {
    const mailbox = formatAddress(message.to);
    return new Overloaded(
      "actor.mailbox_full",
      `${mailbox} has ${capacity} commands waiting, as many as it takes. Try again in a moment.`,
      { details: { actor: mailbox, capacity } },
    );
  }
  const { code, message: said } = apiError(error);
  if (code === undefined) return asCairnError(error, "bus.failed");
  return new Unavailable("bus.refused", `NATS did not take a command: ${said}.`, { cause: error });
}
