/**
 * Holds the waiting messages of one actor in memory, and the tasks of operators, which run between batches of
 * messages. A waiting command can be cancelled. The actor then only stores that the command was cancelled.
 */

import { mailboxLimits } from "../actor-runtime-limits.ts";
import type { WaitingItem } from "./actor-message-batch.ts";

/**
 * A task of an operator, such as the replay of a dead letter. The actor processes no messages while the task
 * runs.
 */
export interface Task {
  run(): Promise<void>;
  refuse(error: Error): void;
}

export class Mailbox {
  #items: WaitingItem[] = [];
  /** The messages that were taken from the mailbox for the batch that is being processed. */
  #taken: readonly WaitingItem[] = [];
  readonly #tasks: Task[] = [];
  /** Ids of commands that were cancelled before they arrived, oldest first. */
  readonly #cancelledEarly = new Set<string>();

  /** Number of messages and tasks that wait for this actor. */
  get length(): number {
    return this.#items.length + this.#tasks.length;
  }

  add(waiting: WaitingItem): void {
    const { item } = waiting;
    const cancelled =
      this.#cancelledEarly.size > 0 &&
      item.kind === "command" &&
      this.#cancelledEarly.delete(item.message.id);
    this.#items.push(cancelled ? asCancelled(waiting) : waiting);
  }

  take(count: number): readonly WaitingItem[] {
    this.#taken = this.#items.splice(0, count);
    return this.#taken;
  }

  /** Puts messages back in front of all waiting messages. */
  putBack(...items: readonly WaitingItem[]): void {
    this.#items.unshift(...items);
  }

  addTask(task: Task): void {
    this.#tasks.push(task);
  }

  nextTask(): Task | undefined {
    return this.#tasks.shift();
  }

  /** Empties the mailbox: rejects its tasks and returns its messages. */
  empty(reason: Error): readonly WaitingItem[] {
    for (const task of this.#tasks.splice(0)) task.refuse(reason);
    return this.#items.splice(0);
  }

  /**
   * Cancels a command, and returns its state. `waiting`: it was in the mailbox and will not run. `taken`: its
   * batch is already being committed. `unknown`: it is not in the mailbox. Either it has run already, or it
   * arrives later and will not run.
   */
  cancel(id: string): "waiting" | "taken" | "unknown" {
    const isIt = ({ item }: WaitingItem) => item.kind === "command" && item.message.id === id;
    if (this.#items.some(isIt)) {
      this.#items = this.#items.map((waiting) => (isIt(waiting) ? asCancelled(waiting) : waiting));
      return "waiting";
    }
    if (this.#taken.some(isIt)) return "taken";
    this.#cancelledEarly.add(id);
    const [oldest] = this.#cancelledEarly;
    if (this.#cancelledEarly.size > mailboxLimits.cancelledAhead && oldest !== undefined)
      this.#cancelledEarly.delete(oldest);
    return "unknown";
  }
}

function asCancelled(waiting: WaitingItem): WaitingItem {
  const { item } = waiting;
  return item.kind === "command" ? { ...waiting, item: { ...item, cancelled: true } } : waiting;
}
