/**
 * Delivers the messages ("sends") of one actor to other actors. Each target gets its sends in order and one
 * at a time, and a send is repeated until the target has stored it. The order matters, because sends are
 * numbered, and a target drops a send with a lower number than its last stored send.
 */

import { type CairnError, errorFromBody } from "../../../machines/errors.ts";
import { commitLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { parseAddress } from "../actor-address.ts";
import { failure, type Outcome } from "../actor-messages.ts";
import { sendLimits } from "../actor-runtime-limits.ts";
import type { Bus } from "../drivers/message-bus.ts";
import type { Clock } from "../runtime-clock.ts";
import type { OutboxRow } from "./actor-record.ts";

export interface SendHooks {
  readonly bus: Bus;
  readonly clock: Clock;
  /** The topic on which receivers report the outcomes of this actor's messages. */
  readonly inbox: string;
  /** Called when the target has stored the message, or will never accept it. */
  readonly settled: (row: OutboxRow, refusal: CairnError | undefined) => void;
  /** Called once when the target of a message is out of service. The message is still repeated. */
  readonly withheld: (row: OutboxRow, error: CairnError) => void;
}

interface RunningSend {
  readonly row: OutboxRow;
  attempts: number;
  withheld: boolean;
  /** Cancels the timer that would send this message again. */
  cancel: () => void;
}

type FailedOutcome = Extract<Outcome, { ok: false }>;

/**
 * Whether the failure of a message is final: its target has refused it, or has made it a dead letter. A
 * failure is temporary if the target's mailbox is full, the target is parked, or its shard has moved.
 */
function isFinal({ error }: FailedOutcome): boolean {
  return error.status < 429 || error.code === "actor.step_failed";
}

/** Error codes of an actor that is out of service until an operator puts it back in service. */
const OUT_OF_SERVICE: readonly string[] = [
  "actor.parked",
  "actor.corrupt_snapshot",
  "actor.incompatible_snapshot",
];

/**
 * Whether the target is out of service. A target that needs a newer version of Cairn counts as out of service
 * only after several attempts. Before that, an upgrade of the nodes may be running.
 */
function isWithheld({ error }: FailedOutcome, attempts: number): boolean {
  if (error.code === "actor.newer_version") return attempts >= sendLimits.newerVersionAttempts;
  return OUT_OF_SERVICE.includes(error.code);
}

export class Outbox {
  readonly #sender: string;
  readonly #hooks: SendHooks;
  readonly #running = new Map<string, RunningSend>();
  /**
   * Numbers of the messages that are done, because their targets accepted or finally refused them. The next
   * commit removes their rows.
   */
  readonly #settled = new Set<number>();
  #rows: readonly OutboxRow[] = [];

  constructor(sender: string, hooks: SendHooks) {
    this.#sender = sender;
    this.#hooks = hooks;
  }

  /**
   * Sends the messages in the committed rows. Each target gets its next message only after the previous one
   * was delivered.
   */
  reconcile(rows: readonly OutboxRow[]): void {
    this.#rows = rows;
    for (const seq of this.#settled) if (!rows.some((row) => row.seq === seq)) this.#settled.delete(seq);
    for (const row of rows) {
      if (this.#running.has(row.to) || this.#settled.has(row.seq)) continue;
      const send = { row, attempts: 0, withheld: false, cancel: () => {} };
      this.#running.set(row.to, send);
      this.#post(send);
    }
  }

  /** Must be called with the outcome that the target has reported for message number `seq`. */
  answered(seq: number, outcome: Outcome): void {
    const send = [...this.#running.values()].find(({ row }) => row.seq === seq);
    if (!send) return;
    send.cancel();
    if (!outcome.ok && !isFinal(outcome)) {
      send.attempts += 1;
      if (!send.withheld && isWithheld(outcome, send.attempts)) {
        send.withheld = true;
        this.#hooks.withheld(send.row, errorFromBody(outcome.error));
      }
      this.#repeat(send, Math.min(commitLimits.backoff * 2 ** send.attempts, commitLimits.maxBackoff));
      return;
    }
    this.#running.delete(send.row.to);
    this.#settled.add(seq);
    this.#hooks.settled(send.row, outcome.ok ? undefined : errorFromBody(outcome.error));
    this.reconcile(this.#rows);
  }

  clear(): void {
    for (const { cancel } of this.#running.values()) cancel();
    this.#running.clear();
    this.#settled.clear();
    this.#rows = [];
  }

  #post(send: RunningSend): void {
    const { seq, to, command } = send.row;
    const message = {
      id: `${this.#sender}:${seq}`,
      to: parseAddress(to),
      body: command,
      replyTo: this.#hooks.inbox,
      from: { actor: this.#sender, seq },
    };
    // The target's answer may be lost. So a message without an answer is sent again; the target recognises a
    // message that it already has.
    this.#repeat(send, sendLimits.repeatAfter);
    this.#hooks.bus.enqueue(message).catch((error) => this.answered(seq, failure(error)));
  }

  #repeat(send: RunningSend, after: number): void {
    send.cancel();
    send.cancel = this.#hooks.clock.after(after, () => this.#post(send));
  }
}
