/**
 * A worker's own NATS connection for the commands of its shards and for their answers. It bypasses the node's
 * main thread, because waking another thread costs more than the work itself. All other messages go through
 * the main thread.
 */

import type { Message, Outcome } from "../../actor-messages.ts";
import { busLimits } from "../../actor-runtime-limits.ts";
import { type Bus, type Consumer, INBOX } from "../message-bus.ts";
import type { PortBus } from "../message-bus-over-thread-port.ts";
import type { LeaseTable } from "../shard-leases.ts";
import { CommandStream, type StreamOptions } from "./command-streams-in-nats.ts";
import { LargeReplies } from "./large-replies-over-nats.ts";
import { BrokerConnection, type NatsConnectionOptions } from "./nats-connection-of-node.ts";
import { OutgoingMessages } from "./outgoing-messages-over-nats.ts";
import { ShardQueues } from "./shard-queues-in-nats.ts";

/** How to connect to NATS, and how it stores commands. */
export type DirectOptions = Omit<NatsConnectionOptions, "name" | "log"> & StreamOptions;

export class DirectBus implements Bus, LeaseTable {
  readonly #port: PortBus;
  readonly #broker: BrokerConnection;
  readonly #queues: ShardQueues;
  readonly #largeReplies: LargeReplies;
  readonly #outgoing: OutgoingMessages;

  private constructor(port: PortBus, broker: BrokerConnection, stream: CommandStream) {
    this.#port = port;
    this.#broker = broker;
    this.#largeReplies = new LargeReplies(broker, crypto.randomUUID());
    this.#outgoing = new OutgoingMessages(broker, this.#largeReplies);
    this.#queues = new ShardQueues(broker, stream, (subject) => this.#outgoing.acknowledge(subject));
  }

  /** Connects to NATS. Throws the same errors as `nats-connection-of-node.ts`. */
  static async open(
    port: PortBus,
    options: DirectOptions & Pick<NatsConnectionOptions, "name" | "log">,
  ): Promise<DirectBus> {
    const startPatience = busLimits.workerStartPatience;
    const broker = await BrokerConnection.open({ ...options, startPatience });
    try {
      const stream = new CommandStream(broker, options);
      await broker.repeatWhileAway(() => stream.ensure());
      return new DirectBus(port, broker, stream);
    } catch (error) {
      await broker.close();
      throw error;
    }
  }

  async consume(shard: number, fence: number, consumer: Consumer): Promise<() => void> {
    return await this.#queues.consume(shard, fence, consumer);
  }

  publish(topic: string, event: unknown): void {
    if (topic.startsWith(INBOX)) this.#outgoing.publish(topic, event);
    else this.#port.publish(topic, event);
  }

  /**
   * Sends the remaining acknowledgements before the leases are released, so that the next owner does not get
   * these commands again.
   */
  async release(shards: readonly number[], owner: string): Promise<void> {
    this.#outgoing.flush();
    // While the broker is unreachable, acknowledgements of commands are lost. The broker then delivers these
    // commands again, and the actor recognises their ids.
    if (this.#broker.connected) await this.#broker.answer(this.#broker.flush()).catch(() => {});
    await this.#port.release(shards, owner);
  }

  async enqueue(message: Message): Promise<void> {
    await this.#port.enqueue(message);
  }

  request(subject: string, payload: unknown, timeout: number): Promise<Outcome> {
    return this.#port.request(subject, payload, timeout);
  }

  respond(subject: string, answer: (payload: unknown) => Promise<Outcome>): () => void {
    return this.#port.respond(subject, answer);
  }

  subscribe(pattern: string, listen: (event: unknown, topic: string) => void): () => void {
    return this.#port.subscribe(pattern, listen);
  }

  onPatterns(listen: (patterns: readonly string[]) => void): () => void {
    return this.#port.onPatterns(listen);
  }

  onRecovered(listen: () => void): () => void {
    return this.#port.onRecovered(listen);
  }

  take(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return this.#port.take(shards, owner);
  }

  renew(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return this.#port.renew(shards, owner);
  }

  onFreed(listen: (shards: readonly number[]) => void): () => void {
    return this.#port.onFreed(listen);
  }

  async close(): Promise<void> {
    this.#outgoing.flush();
    this.#queues.close();
    this.#largeReplies.close();
    await this.#broker.close();
  }
}
