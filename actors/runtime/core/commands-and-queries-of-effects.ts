/**
 * The commands and queries that one attempt of an effect sends to other actors. The id of a command is
 * derived from the effect and the command. So an effect that runs again after a crash sends the same ids, and
 * each command is applied once.
 */
import { Fenced, Refused } from "../../../machines/errors.ts";
import { type Address, address, formatAddress } from "../actor-address.ts";
import type { CommandBody } from "../actor-messages.ts";
import type { ActorSystem } from "../calls-to-actors.ts";
import type { EffectAskOptions } from "../define-actor.ts";
import type { EffectRow } from "./actor-record.ts";

/**
 * Why an attempt of an effect was ended. `left`: the machine has left the state that runs the effect.
 * `moved`: another owner of the shard now runs the effect.
 */
export type AttemptEnd = "left" | "moved";

export class EffectAsks {
  readonly #system: ActorSystem;
  readonly #self: string;
  readonly #effect: EffectRow;
  readonly #signal: AbortSignal;
  readonly #endedBy: () => AttemptEnd;
  /**
   * For each command, how often this attempt of the effect has sent it. The number is part of the command's
   * id, so two equal commands get different ids.
   */
  readonly #asked = new Map<string, number>();

  constructor(
    system: ActorSystem,
    asker: Address,
    effect: EffectRow,
    attempt: { readonly signal: AbortSignal; readonly endedBy: () => AttemptEnd },
  ) {
    this.#system = system;
    this.#self = formatAddress(asker);
    this.#effect = effect;
    this.#signal = attempt.signal;
    this.#endedBy = attempt.endedBy;
  }

  async ask(
    kind: string,
    id: string,
    command: CommandBody,
    options: EffectAskOptions = {},
  ): Promise<unknown> {
    const target = address(kind, id);
    const askers = [...(this.#effect.askers ?? []), this.#self];
    refuseCycle(askers, formatAddress(target));
    const identity = options.id ?? this.#identify(target, command);
    const cancel = new AbortController();
    return await this.#whileRunning(
      () => this.#system.ask(target, command, { ...options, id: identity, askers, signal: cancel.signal }),
      (end) => {
        // When another owner continues the effect, the commands of this attempt are not cancelled. The new
        // owner sends them again with the same ids and needs their outcomes.
        if (end === "left") cancel.abort();
      },
    );
  }

  async query(kind: string, id: string, query: string, params: unknown): Promise<unknown> {
    return await this.#whileRunning(() => this.#system.query(address(kind, id), query, params));
  }

  #identify(target: Address, command: CommandBody): string {
    const question = `${this.#self}#${this.#effect.run}>${formatAddress(target)}:${digest(JSON.stringify(command))}`;
    const count = (this.#asked.get(question) ?? 0) + 1;
    this.#asked.set(question, count);
    return `${question}.${count}`;
  }

  /**
   * Returns the result of a command or query that the effect has sent. Rejects as soon as this attempt (run)
   * of the effect ends.
   */
  async #whileRunning(
    question: () => Promise<unknown>,
    ended: (end: AttemptEnd) => void = () => {},
  ): Promise<unknown> {
    if (this.#signal.aborted) throw endError(this.#endedBy());
    const { promise: end, reject } = Promise.withResolvers<never>();
    const stop = () => {
      const why = this.#endedBy();
      ended(why);
      reject(endError(why));
    };
    this.#signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([question(), end]);
    } finally {
      this.#signal.removeEventListener("abort", stop);
    }
  }
}

function endError(end: AttemptEnd): Fenced {
  return end === "left"
    ? new Fenced("effect.superseded", "The state of the effect was left.")
    : new Fenced("lease.lost", "Another owner continues the effect.");
}

/**
 * Refuses a command to an actor that waits for this effect, because the effect and the actor would wait for
 * each other.
 */
function refuseCycle(askers: readonly string[], target: string): void {
  if (!askers.includes(target)) return;
  const path = [...askers.slice(askers.indexOf(target)), target].join(" → ");
  throw new Refused(
    "actor.ask_cycle",
    `${target} cannot be asked here, because it waits for this effect: ${path}. Reply first, or send the command.`,
    { details: { path } },
  );
}

/** Returns a 53-bit hash (cyrb53) of the text's UTF-16 units, in hexadecimal. */
function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(16);
}
