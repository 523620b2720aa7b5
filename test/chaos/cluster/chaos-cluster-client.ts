/**
 * A client of the cluster. It sends commands over one socket to one node, and changes to the next node when
 * the connection is lost. Each command is repeated with the same id until it is answered.
 */

import type { AnswerFrame, AskFrame } from "./chaos-cluster-node-process.ts";
import type { ClusterNode, TestCluster } from "./chaos-test-cluster.ts";

/** A command that the client has sent, and its outcome. */
export interface ClientCommand {
  readonly id: string;
  readonly to: string;
  readonly body: AskFrame["body"];
  /** Number of the command among this client's commands to the same actor, starting at 1. */
  readonly position: number;
  /**
   * Number of times that the command was sent. The order is checked only for commands that were sent once,
   * because later commands may overtake a repeated command.
   */
  attempts: number;
  answer: unknown;
  /** The node to which the command was last sent. It is named in reports of failures. */
  lastNode?: string;
  /** When the command was first sent, in milliseconds since the epoch. */
  firstSentAt?: number;
  /** When the command was answered, in milliseconds since the epoch. */
  answeredAt?: number;
}

/** Time limit for an answer in milliseconds. After it, the node answers with a time-out. */
const ANSWER_TIMEOUT = 5_000;
/** Statuses after which the client repeats a command: too many requests, unavailable, time-out. */
const TEMPORARY_STATUSES = new Set([429, 503, 504]);

type Outcome = AnswerFrame | "lost";

export class ClusterClient {
  readonly name: string;
  readonly commands: ClientCommand[] = [];
  /** For each error code, the number of times that nodes have answered with it. */
  readonly errors = new Map<string, number>();
  /** Descriptions of answers that violate this client's expectations, such as an unexpected refusal. */
  readonly faults: string[] = [];
  readonly #cluster: TestCluster;
  #place: number;
  #node: ClusterNode | undefined;
  #socket: Promise<WebSocket> | undefined;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  #n = 0;

  constructor(cluster: TestCluster, name: string, place: number) {
    this.#cluster = cluster;
    this.name = name;
    this.#place = place;
  }

  /**
   * Records the command for the check of invariants, and repeats it until it is answered or the time `until`
   * (milliseconds since the epoch) has passed.
   */
  async recordAndSend(command: ClientCommand, until: number): Promise<void> {
    this.commands.push(command);
    await this.sendUntilAnswered(command, until);
  }

  /** Sends a command until it is answered. The command is not recorded for the check of invariants. */
  async sendUntilAnswered(command: ClientCommand, until: number): Promise<void> {
    command.firstSentAt = Date.now();
    while (Date.now() < until) {
      command.attempts += 1;
      const outcome = await this.#send(command);
      if (outcome !== "lost") {
        if (outcome.ok) {
          command.answer = outcome.body ?? true;
          command.answeredAt = Date.now();
          return;
        }
        this.errors.set(outcome.code, (this.errors.get(outcome.code) ?? 0) + 1);
        if (!TEMPORARY_STATUSES.has(outcome.status)) {
          this.faults.push(`${command.id} was refused as ${outcome.code} (${outcome.status})`);
          return;
        }
      }
      await Bun.sleep(50 + Math.random() * 100);
    }
    this.faults.push(
      `${command.id} for ${command.to} was never answered, though it was sent ${command.attempts} times`,
    );
  }

  close(): void {
    void this.#socket?.then((socket) => socket.close()).catch(() => {});
  }

  async #send(command: ClientCommand): Promise<Outcome> {
    const { to, body, id } = command;
    this.#n += 1;
    const n = this.#n;
    const frame: AskFrame = { n, to, body, id, timeout: ANSWER_TIMEOUT };
    const began = Date.now();
    let socket: WebSocket;
    try {
      socket = await this.#connected();
    } catch {
      return "lost";
    }
    const node = this.#node;
    if (node) command.lastNode = node.name;
    return await new Promise<Outcome>((resolve) => {
      // A paused node neither answers nor closes the socket, so the client uses a time limit of its own.
      const late = setTimeout(() => {
        if (node?.up && node.lastFaultAt < began) {
          this.faults.push(`${id} for ${to} was not answered by ${node.name}, which had no fault`);
        }
        this.#waiting.delete(n);
        socket.close();
        this.#lost(socket);
        resolve("lost");
      }, ANSWER_TIMEOUT * 1.5);
      this.#waiting.set(n, (outcome) => {
        clearTimeout(late);
        resolve(outcome);
      });
      socket.send(JSON.stringify(frame));
    });
  }

  #connected(): Promise<WebSocket> {
    if (this.#socket) return this.#socket;
    const socket = this.#connect();
    this.#socket = socket;
    socket.catch(() => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    return socket;
  }

  async #connect(): Promise<WebSocket> {
    const up = this.#cluster.nodes.map((_, i) => this.#cluster.node(this.#place + i)).find((node) => node.up);
    if (!up?.url) throw new Error("no node is up");
    this.#node = up;
    const socket = new WebSocket(up.url.replace("http", "ws"));
    return await new Promise((resolve, reject) => {
      socket.onopen = () => resolve(socket);
      socket.onmessage = ({ data }) => {
        // The cast is safe: `chaos-cluster-node-process.ts` sends this shape.
        const answer = JSON.parse(String(data)) as AnswerFrame;
        this.#waiting.get(answer.n)?.(answer);
        this.#waiting.delete(answer.n);
      };
      socket.onclose = () => {
        reject(new Error("the node is gone"));
        this.#lost(socket);
      };
      // Opening a connection needs a time limit. The system accepts a connection to a paused node, but the
      // node sends nothing.
      setTimeout(() => {
        if (socket.readyState === WebSocket.CONNECTING) {
          socket.close();
          reject(new Error("the node does not answer"));
          this.#lost(socket);
        }
      }, 1_000);
    });
  }

  #ended = new WeakSet<WebSocket>();

  #lost(socket: WebSocket): void {
    if (this.#ended.has(socket)) return;
    this.#ended.add(socket);
    this.#socket = undefined;
    this.#place += 1;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const settle of waiting) settle("lost");
  }
}
