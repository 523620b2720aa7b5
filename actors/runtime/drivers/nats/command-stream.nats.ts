/**
 * The streams in which commands wait at the broker, and how they get there: once each, in order for each actor.
 *
 * A consumer looks at every command of its stream for its own, so the shards share a few streams and not one.
 * A broker that does not answer is asked again with the same message id, which it knows; what it had taken already
 * is not taken twice. Neighbours: `shard-queues.nats.ts` takes the commands out, `broker.nats.ts` is the connection.
 */
import { createHash } from "node:crypto";
import { DiscardPolicy, nanos, RetentionPolicy, StorageType } from "nats";
import { asCairnError, Overloaded, Unavailable } from "../../../../machines/errors.ts";
import { addressLimits } from "../../../../machines/runtime/limits.ts";
import { type Address, formatAddress, shardOf } from "../../address.ts";
import { busLimits } from "../../limits.ts";
import type { Message } from "../../message.ts";
import type { Broker } from "./connection.nats.ts";
import { makeTogether } from "./ensure-streams.nats.ts";
import { Publications } from "./jetstream-publisher.nats.ts";
import { apiCodes, apiError, brokerAway, tooLarge } from "./nats-errors.ts";

const NAME = "CAIRN_COMMANDS";
export const STREAMS: readonly string[] = Array.from({ length: busLimits.streams }, (_, i) => `${NAME}_${i}`);
/** `cairn.cmd.<shard>.<kind>.<base64url id>` */
export const SUBJECTS = "cairn.cmd";

/** More than the header with the message id takes; it counts, too. */
const HEADER_BYTES = 256;

/** The stream in which the commands of a shard wait. */
export function streamOf(shard: number): string {
  return `${NAME}_${shard % busLimits.streams}`;
}

export interface StreamOptions {
  /** Commands waiting for one actor. */
  readonly capacity: number;
  /** Servers of a cluster that keep the stream. */
  readonly replicas: number;
  /** Milliseconds that a command waits for a broker that is away. */
  readonly patience?: number;
}

/** Ids may hold anything; base64url is safe in a subject. */
function subjectOf(to: Address): string {
  return `${SUBJECTS}.${shardOf(to)}.${to.kind}.${Buffer.from(to.id).toString("base64url")}`;
}

/** Four parts without a `#` of their own, in what a header takes. */
const PLAIN = /^[!-"$-~]+#[!-"$-~]+#[!-"$-~]*#[\d.]*$/;
const PLAIN_BYTES = 160;

/**
 * A repeated command is one message for each who waits for it; asked for anew, with another deadline, it is another.
 * Hashed where a header, which is one short line, could not hold it; a hash has no `#`.
 */
function identityOf({ to, id, replyTo = "", expires }: Message, after: number | undefined): string {
  const key = `${formatAddress(to)}#${id}#${replyTo}#${expires ?? ""}`;
  const plain = key.length <= PLAIN_BYTES && PLAIN.test(key);
  const name = plain ? key : hashOf([to.kind, to.id, id, replyTo, expires ?? null]);
  // In front, where a kind begins with a letter and a hash has no `@`.
  return after === undefined ? name : `${after}@${name}`;
}

function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

export class CommandStream {
  readonly #broker: Broker;
  readonly #options: StreamOptions;
  readonly #publications: Publications;
  readonly #made = new Map<string, string>();
  #ensuring: Promise<void> | undefined;
  /** By subject, the command that is being tried again: later ones for the same actor wait behind it. */
  readonly #held = new Map<string, Promise<void>>();
  /** By actor: who is asked is mostly asked again, and a subject costs more to make than to find. */
  readonly #subjects = new Map<string, string>();

  constructor(broker: Broker, options: StreamOptions) {
    this.#broker = broker;
    this.#options = options;
    this.#publications = new Publications(broker);
  }

  /** When each stream was made: another time is another stream, whose places begin anew. */
  get made(): ReadonlyMap<string, string> {
    return new Map(this.#made);
  }

  /** Makes the streams that are not there. `bus.not_capable` when the broker will not have them. */
  async ensure(): Promise<void> {
    this.#ensuring ??= this.#broker.answer(this.#ensureStreams()).finally(() => {
      this.#ensuring = undefined;
    });
    await this.#ensuring;
  }

  async #ensureStreams(): Promise<void> {
    await Promise.all(STREAMS.map((name) => makeTogether(() => this.#ensureStream(name))));
  }

  async #ensureStream(name: string): Promise<void> {
    const { manager } = this.#broker;
    const shards = Array.from({ length: addressLimits.shards }, (_, shard) => shard);
    const wanted = {
      subjects: shards.filter((shard) => streamOf(shard) === name).map((shard) => `${SUBJECTS}.${shard}.>`),
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
    // Every character is at least a byte, and at most three.
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

  /** Again and again until the broker has it or patience ends; the broker knows a repetition by its id. */
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
          if (performance.now() >= until) throw brokerAway(this.#broker.place, error);
          await new Promise((resolve) => setTimeout(resolve, busLimits.reconnectEvery));
          // A stream that is gone is made again; one that cannot be made is found out by the next publish.
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
    if (!this.#broker.connected) throw brokerAway(this.#broker.place);
    const first = await this.#publications.publish(subject, text, identityOf(message, after));
    if (!first || (await this.#waits(first.stream, first.seq))) return;
    // The first was taken already. Whoever asks again wants the outcome, so the actor is asked again.
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

/** Did the broker not answer? Then it may have taken what it was given, or not. */
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
