/**
 * A client of the cluster: it asks through one node over one socket, and through the next when that one is gone.
 *
 * It repeats a command with the same id until it is answered, as a caller should, and notes what it was told on the
 * way. Neighbours: `load.ts` says what it asks, `judge.ts` reads what it notes.
 */
import type { Cluster, Node } from "./cluster.ts";
import type { AnswerFrame, AskFrame } from "./node.ts";

/** One command and what became of it. */
export interface Asked {
  readonly id: string;
  readonly to: string;
  readonly body: AskFrame["body"];
  /** Its place among this client's commands to this actor, from 1. */
  readonly k: number;
  /** How often it was sent. Only one that was sent once must keep its place among those sent before and after it. */
  sent: number;
  answer: unknown;
  /** For evidence: the node that was asked last, when it was first asked, and when it answered. */
  via?: string;
  began?: number;
  ended?: number;
}

/** The longest that an answer may take a node, in milliseconds; it says so itself then. */
const TIMEOUT = 5_000;
/** What may go wrong for a while: too much, not there, too late. */
const PASSING = new Set([429, 503, 504]);

type Outcome = AnswerFrame | "lost";

export class Client {
  readonly name: string;
  readonly asked: Asked[] = [];
  /** Typed errors by code, and how often they were told. */
  readonly errors = new Map<string, number>();
  /** What should not have been, in words. */
  readonly faults: string[] = [];
  readonly #cluster: Cluster;
  #place: number;
  #node: Node | undefined;
  #socket: Promise<WebSocket> | undefined;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  #n = 0;

  constructor(cluster: Cluster, name: string, place: number) {
    this.#cluster = cluster;
    this.name = name;
    this.#place = place;
  }

  /** Asks until it is answered, or `until` (milliseconds of the machine's clock) is over. */
  async insist(asked: Asked, until: number): Promise<void> {
    this.asked.push(asked);
    await this.repeat(asked, until);
  }

  /** As `insist`, and keeps no note of it. */
  async repeat(asked: Asked, until: number): Promise<void> {
    asked.began = Date.now();
    while (Date.now() < until) {
      asked.sent += 1;
      const outcome = await this.#send(asked);
      if (outcome !== "lost") {
        if (outcome.ok) {
          asked.answer = outcome.body ?? true;
          asked.ended = Date.now();
          return;
        }
        this.errors.set(outcome.code, (this.errors.get(outcome.code) ?? 0) + 1);
        if (!PASSING.has(outcome.status)) {
          this.faults.push(`${asked.id} was refused as ${outcome.code} (${outcome.status})`);
          return;
        }
      }
      await Bun.sleep(50 + Math.random() * 100);
    }
    this.faults.push(
      `${asked.id} for ${asked.to} was never answered, though it was asked ${asked.sent} times`,
    );
  }

  close(): void {
    void this.#socket?.then((socket) => socket.close()).catch(() => {});
  }

  async #send(asked: Asked): Promise<Outcome> {
    const { to, body, id } = asked;
    this.#n += 1;
    const n = this.#n;
    const frame: AskFrame = { n, to, body, id, timeout: TIMEOUT };
    const began = Date.now();
    let socket: WebSocket;
    try {
      socket = await this.#connected();
    } catch {
      return "lost";
    }
    const node = this.#node;
    if (node) asked.via = node.name;
    return await new Promise<Outcome>((resolve) => {
      // A node that stands still does not say that it is late.
      const late = setTimeout(() => {
        if (node?.up && node.disturbed < began) {
          this.faults.push(`${id} for ${to} was not answered by ${node.name}, which nothing had struck`);
        }
        this.#waiting.delete(n);
        socket.close();
        this.#lost(socket);
        resolve("lost");
      }, TIMEOUT * 1.5);
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
        const answer = JSON.parse(String(data)) as AnswerFrame; // Written by `node.ts`.
        this.#waiting.get(answer.n)?.(answer);
        this.#waiting.delete(answer.n);
      };
      socket.onclose = () => {
        reject(new Error("the node is gone"));
        this.#lost(socket);
      };
      // A node that stands still takes connections and says nothing.
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
