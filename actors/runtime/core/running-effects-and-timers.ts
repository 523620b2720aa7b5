/**
 * The running effects and timers of one actor, and its messages to other actors. After each commit, they are
 * started and stopped so that they match the committed rows. Their results return to the actor's mailbox as
 * messages.
 */

import { type Address, formatAddress } from "../actor-address.ts";
import type { CommandBody, Outcome } from "../actor-messages.ts";
import type { AnyActorDefinition } from "../define-actor.ts";
import type { ActivationHost } from "./actor-host-interface.ts";
import type { WaitingItem } from "./actor-message-batch.ts";
import { Outbox } from "./actor-outbox.ts";
import type { ActorRecord } from "./actor-record.ts";
import { Timers } from "./actor-timers.ts";
import { EffectRunner } from "./effect-runner.ts";
import { logStoreAway } from "./store-backoff.ts";

export class RunningWork {
  readonly #effects: EffectRunner;
  readonly #timers: Timers;
  readonly #sends: Outbox;

  constructor(
    definition: AnyActorDefinition,
    address: Address,
    host: ActivationHost,
    offer: (waiting: WaitingItem) => void,
  ) {
    const name = formatAddress(address);
    const meter = host.meter.kind(address.kind);
    const notify = (effect: { readonly id: string; readonly run: number }, event: CommandBody) =>
      new Promise<void>((resolve, reject) => {
        offer({
          item: { kind: "notify", id: effect.id, run: effect.run, event },
          settle: (error) => (error ? reject(error) : resolve()),
        });
      });
    this.#effects = new EffectRunner(definition, address, host.services, {
      clock: host.clock,
      retried: (effect, error) => logStoreAway(host.log, name, `effect ${effect.src}`, error),
      finished: (effect, result) => {
        meter.effects.add(result.ok ? "ok" : "failed");
        offer({ item: { kind: "effect", id: effect.id, run: effect.run, result } });
      },
      notify,
      publish: (topic, event) => host.bus.publish(topic, event),
      leaseCertainFor: host.leaseCertainFor,
      system: host.system,
    });
    this.#timers = new Timers(host.clock, ({ id, run }) => offer({ item: { kind: "timer", id, run } }));
    this.#sends = new Outbox(name, {
      bus: host.bus,
      clock: host.clock,
      inbox: host.inbox,
      settled: ({ seq, to }, refusal) => {
        meter.sends.add(refusal ? "refused" : "ok");
        if (refusal) host.log("warn", "send was refused", { actor: name, to, seq, code: refusal.code });
        const refused = refusal && { error: refusal.toBody(), final: true };
        offer({ item: { kind: "sent", seq, ...(refused ? { refused } : {}) } });
      },
      withheld: ({ seq, to }, error) => {
        const { code, message } = error;
        host.log("warn", "send has to wait for its target", { actor: name, to, seq, code, error: message });
        offer({ item: { kind: "sent", seq, refused: { error: error.toBody(), final: false } } });
      },
    });
  }

  /**
   * Must be called once after the actor was loaded. Later effects then get run numbers above the highest
   * number that an earlier owner may have used.
   */
  loaded({ run }: ActorRecord): void {
    this.#effects.loaded(run);
  }

  /**
   * Starts and stops effects, timers and deliveries of messages, so that they match the actor's record. A
   * parked actor has no effects and timers. Its committed messages to other actors are still delivered.
   */
  reconcile({ effects, timers, outbox, parked }: ActorRecord): void {
    this.#effects.reconcile(parked ? [] : effects);
    this.#timers.reconcile(parked ? [] : timers);
    this.#sends.reconcile(outbox);
  }

  sendAnswered(seq: number, outcome: Outcome): void {
    this.#sends.answered(seq, outcome);
  }

  /** Waits until the running effects have ended, so that another owner can take over the actor. */
  leave(): Promise<void> {
    return this.#effects.leave();
  }

  clear(): void {
    this.#effects.abortAll();
    this.#timers.clear();
    this.#sends.clear();
  }
}
