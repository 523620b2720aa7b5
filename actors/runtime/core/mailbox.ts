/**
 * What waits for one actor in its owner's memory: items in order, and tasks of operators, which come between batches.
 *
 * A waiting command can be cancelled; then it is stepped as one that is not to be run, which makes that durable.
 * Neighbours: `activation.ts` takes from it, `operations.ts` has commands cancelled.
 */

import { mailboxLimits } from "../limits.ts";
import type { Waiting } from "./step-batch.ts";

/** Work that nothing else of the actor may come between. */
export interface Task {
  run(): Promise<void>;
  refuse(error: Error): void;
}

export class Mailbox {
  #items: Waiting[] = [];
  /** The last that were taken: a batch that is being stepped and committed. */
  #taken: readonly Waiting[] = [];
  readonly #tasks: Task[] = [];
  /** Commands that were cancelled before they came, the oldest first. */
  readonly #ahead = new Set<string>();

  /** Items and tasks. */
  get length(): number {
    return this.#items.length + this.#tasks.length;
  }

  add(waiting: Waiting): void {
    const { item } = waiting;
    const cancelled = this.#ahead.size > 0 && item.kind === "command" && this.#ahead.delete(item.message.id);
    this.#items.push(cancelled ? asCancelled(waiting) : waiting);
  }

  take(count: number): readonly Waiting[] {
    this.#taken = this.#items.splice(0, count);
    return this.#taken;
  }

  /** Before everything else that waits. */
  putBack(...items: readonly Waiting[]): void {
    this.#items.unshift(...items);
  }

  addTask(task: Task): void {
    this.#tasks.push(task);
  }

  nextTask(): Task | undefined {
    return this.#tasks.shift();
  }

  /** Everything out: tasks are refused, items answered for further use. */
  empty(reason: Error): readonly Waiting[] {
    for (const task of this.#tasks.splice(0)) task.refuse(reason);
    return this.#items.splice(0);
  }

  /**
   * `waiting`: it was, and will not be run. `taken`: its batch is being committed. `unknown`: it is over, or has yet to
   * come, and will not be run when it does.
   */
  cancel(id: string): "waiting" | "taken" | "unknown" {
    const isIt = ({ item }: Waiting) => item.kind === "command" && item.message.id === id;
    if (this.#items.some(isIt)) {
      this.#items = this.#items.map((waiting) => (isIt(waiting) ? asCancelled(waiting) : waiting));
      return "waiting";
    }
    if (this.#taken.some(isIt)) return "taken";
    this.#ahead.add(id);
    const [oldest] = this.#ahead;
    if (this.#ahead.size > mailboxLimits.cancelledAhead && oldest !== undefined) this.#ahead.delete(oldest);
    return "unknown";
  }
}

function asCancelled(waiting: Waiting): Waiting {
  const { item } = waiting;
  return item.kind === "command" ? { ...waiting, item: { ...item, cancelled: true } } : waiting;
}
