/**
 * A worker's own way to NATS: the commands of its shards come over it, and their answers go over it, past the node's
 * main thread. Everything else goes by the port, as it does where there is no broker.
 *
 * Waking another thread costs more than what it is woken for: this spares a command two of six. Neighbours:
 * `bus.port.ts` is the port, `shard-queues.nats.ts` takes the commands, `worker.ts` opens it.
 */

import type { Message, Outcome } from "../../message.ts";
import type { PortBus } from "../bus.port.ts";
import { type Bus, type Consumer, INBOX } from "../bus.ts";
import type { LeaseTable } from "../lease.ts";
import { CommandStream, type StreamOptions } from "./command-stream.nats.ts";
import { Broker, type BrokerOptions } from "./connection.nats.ts";
import { KeptReplies } from "./large-replies.nats.ts";
import { Outgoing } from "./outgoing.nats.ts";
import { ShardQueues } from "./shard-queues.nats.ts";

/** How the NATS of the nodes is reached, and how it keeps commands. */
export type DirectOptions = Omit<BrokerOptions, "name" | "log"> & StreamOptions;

export class DirectBus implements Bus, LeaseTable {
  readonly #port: PortBus;
  readonly #broker: Broker;
  readonly #queues: ShardQueues;
  readonly #kept: KeptReplies;
  readonly #outgoing: Outgoing;

  private constructor(port: PortBus, broker: Broker, stream: CommandStream) {
    this.#port = port;
    this.#broker = broker;
    this.#kept = new KeptReplies(broker, crypto.randomUUID());
    this.#outgoing = new Outgoing(broker, this.#kept);
    this.#queues = new ShardQueues(broker, stream, (subject) => this.#outgoing.acknowledge(subject));
  }

  /** Connects as `broker.nats.ts` does, and fails as it does. */
  static async open(
    port: PortBus,
    options: DirectOptions & Pick<BrokerOptions, "name" | "log">,
  ): Promise<DirectBus> {
    const broker = await Broker.open(options);
    try {
      const stream = new CommandStream(broker, options);
      await stream.ensure();
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

  /** Whoever takes the shards next is not given what was acknowledged before. */
  async release(shards: readonly number[], owner: string): Promise<void> {
    this.#outgoing.flush();
    // Without a broker what was acknowledged is given again, and known by its id.
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

  interest(tell: (patterns: readonly string[]) => void): () => void {
    return this.#port.interest(tell);
  }

  recovered(listen: () => void): () => void {
    return this.#port.recovered(listen);
  }

  take(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return this.#port.take(shards, owner);
  }

  renew(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return this.#port.renew(shards, owner);
  }

  freed(tell: (shards: readonly number[]) => void): () => void {
    return this.#port.freed(tell);
  }

  async close(): Promise<void> {
    this.#outgoing.flush();
    this.#queues.close();
    this.#kept.close();
    await this.#broker.close();
  }
}
