/**
 * Judges the runtime in the model test. The judge receives the messages of clients and every committed state,
 * but nothing from inside the runtime. From these it checks what must be true at each moment and at the end.
 */
import type { ActorStore } from "../../../../store/index.ts";
import type { AlarmContext, JobContext, RelayContext } from "../support/simulated-actor-kinds.ts";
import type { Committed } from "./simulated-store.ts";

export interface Asked {
  readonly client: string;
  readonly number: number;
  readonly id: string;
  readonly actor: string;
  readonly body: { readonly type: string };
  /**
   * Whether the client waits for the answer to each command before it sends the next command. Otherwise it sends all
   * commands without waiting, and their order is not checked.
   */
  readonly ordered: boolean;
}

export type Answer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly code: string };

const appliedOf = (committed: Committed | undefined): readonly string[] =>
  (committed?.record.snapshot.context.applied as readonly string[] | undefined) ?? [];

export class Judge {
  readonly #last = new Map<string, Committed>();
  readonly #effects = new Set<string>();
  readonly #fences = new Map<number, number>();
  readonly #asked = new Map<string, Asked>();
  readonly #answers = new Map<string, Answer>();
  readonly #faults: string[] = [];

  get faults(): readonly string[] {
    return this.#faults;
  }

  #claim(holds: boolean, fault: string): void {
    if (!holds) this.#faults.push(fault);
  }

  /** Checks that no durable write breaks a rule of the simulation. `rows` are the rows of one transaction. */
  committed(rows: readonly Committed[]): void {
    for (const row of rows) {
      const fence = this.#fences.get(row.shard) ?? 0;
      this.#claim(
        row.fence >= fence,
        `shard ${row.shard} was written with fence ${row.fence} after ${fence}`,
      );
      this.#fences.set(row.shard, row.fence);
      const turn = this.#last.get(row.name)?.record.turn ?? 0;
      this.#claim(row.record.turn === turn + 1, `${row.name} wrote turn ${row.record.turn} after ${turn}`);
      const before = appliedOf(this.#last.get(row.name));
      const after = appliedOf(row);
      const kept = before.every((id, i) => after[i] === id);
      this.#claim(kept, `${row.name} lost what it had applied: ${before} became ${after}`);
      for (const { input } of row.record.effects) {
        this.#effects.add(`${row.name}#${(input as { n: number }).n}`);
      }
      this.#last.set(row.name, row);
    }
  }

  /**
   * Checks that an acknowledged message was really processed. The acknowledgement removes it from the queue,
   * so it can never be delivered again.
   */
  acknowledged(actor: string, id: string, replied: boolean): void {
    const durable = appliedOf(this.#last.get(actor)).includes(id);
    this.#claim(durable || replied, `${id} was taken out of the queue of ${actor}, without an outcome`);
  }

  waiting(actor: string, count: number, capacity: number): void {
    this.#claim(count <= capacity, `${count} commands wait for ${actor}, whose mailbox holds ${capacity}`);
  }

  /** Checks that an effect starts only after a commit has made it durable. */
  began(actor: string, n: number): void {
    this.#claim(this.#effects.has(`${actor}#${n}`), `${actor} began effect ${n} before it was durable`);
  }

  /** Checks that a notification of an effect was stored before the effect's call of `notify` resolved. */
  notified(actor: string, n: number, k: number): void {
    const progress = this.#last.get(actor)?.record.snapshot.context.progress as
      | JobContext["progress"]
      | undefined;
    this.#claim((progress?.[n] ?? 0) >= k, `${actor} was told that ${n}.${k} is durable, and it is not`);
  }

  published({ actor, n }: { readonly actor: string; readonly n: number }): void {
    const durable = appliedOf(this.#last.get(actor)).length;
    this.#claim(n <= durable, `${actor} published step ${n} when ${durable} were durable`);
  }

  asked(command: Asked): void {
    this.#asked.set(command.id, command);
  }

  answered(command: Asked, answer: Answer): void {
    const applied = appliedOf(this.#last.get(command.actor));
    if (answer.ok) {
      this.#claim(applied.includes(command.id), `${command.id} was acknowledged before it was durable`);
      const position = (answer.body as { n?: number } | null)?.n;
      if (position !== undefined) {
        this.#claim(applied[position - 1] === command.id, `${command.id} was answered as another command`);
      }
    }
    this.#answers.set(command.id, answer);
  }

  /** Records a violation: a command was not answered for a long time, although there was no fault. */
  unanswered({ id }: Asked, milliseconds: number): void {
    this.#claim(false, `${id} was kept waiting for ${milliseconds} ms without a fault`);
  }

  /** Checks the final state of the store, after all work has ended. */
  async conclude(store: ActorStore): Promise<void> {
    this.#judgeCommands();
    for (const committed of this.#last.values()) this.#judgeActor(committed);
    this.#judgeNotes();
    const letters = await store.deadLetters({ limit: 10_000 });
    this.#judgeLetters(letters.map(({ message }) => (JSON.parse(message) as { id?: string }).id ?? message));
  }

  #judgeCommands(): void {
    for (const [id, command] of this.#asked) {
      const times = appliedOf(this.#last.get(command.actor)).filter((other) => other === id).length;
      const answer = this.#answers.get(id);
      if (!answer) this.#claim(false, `${id} was never answered`);
      else if (answer.ok) this.#claim(times === 1, `${id} was acknowledged and applied ${times} times`);
      else this.#claim(times === 0, `${id} was refused as ${answer.code} and applied ${times} times`);
    }
  }

  #judgeActor({ name, record }: Committed): void {
    this.#claim(!record.parked, `${name} is parked: ${JSON.stringify(record.parked)}`);
    this.#claim(record.effects.length === 0, `${name} still has effects`);
    this.#claim(record.timers.length === 0, `${name} still has timers`);
    this.#claim(record.outbox.length === 0, `${name} still has sends`);
    const { context } = record.snapshot;
    this.#judgeOrder(name, appliedOf(this.#last.get(name)));
    // The cast is safe: the name starts with the kind, and the kind determines the type of the context.
    if (name.startsWith("job/")) this.#judgeJob(name, context as unknown as JobContext);
    if (name.startsWith("alarm/")) this.#judgeAlarm(name, context as unknown as AlarmContext);
  }

  #judgeOrder(name: string, applied: readonly string[]): void {
    const heard = new Map<string, number>();
    for (const id of applied) {
      const command = this.#asked.get(id);
      const note = /^note:(.*):(\d+)$/.exec(id);
      this.#claim(Boolean(command ?? note), `${name} applied ${id}, which no client sent`);
      const sender = command ? command.client : (note?.[1] ?? "");
      const number = command ? command.number : Number(note?.[2]);
      if (command && !command.ordered) continue;
      // The numbers of one sender's messages must increase: each message is applied once and in order. Commands
      // that a client sends without waiting for answers (`ordered` is false) have been left out above.
      this.#claim(
        number > (heard.get(sender) ?? 0),
        `${name} applied ${id} of ${sender} out of order or twice`,
      );
      heard.set(sender, number);
    }
  }

  #judgeJob(name: string, { n, results, failures, cancelled, stale }: JobContext): void {
    this.#claim(stale.length === 0, `${name} took ${stale}`);
    for (let run = 1; run <= n; run++) {
      const ends = [results, failures, cancelled].map((list) => list.filter((other) => other === run).length);
      const total = ends.reduce((sum, count) => sum + count, 0);
      this.#claim(total === 1, `effect ${run} of ${name} ended ${ends} times (result, failure, cancelled)`);
    }
  }

  #judgeAlarm(
    name: string,
    { n, fired, disarmed, early, reminders, reminded, forgotten }: AlarmContext,
  ): void {
    this.#claim(early.length === 0, `${name} fired ${early} too early`);
    for (let k = 1; k <= n; k++) {
      const ends = [fired, disarmed].map((list) => list.filter((other) => other === k).length);
      this.#claim(ends[0] === 1 || ends[1] === 1, `timer ${k} of ${name} neither fired nor was disarmed`);
      this.#claim(
        (ends[0] ?? 0) + (ends[1] ?? 0) === 1,
        `timer ${k} of ${name} fired or was disarmed ${ends} times`,
      );
    }
    for (let k = 1; k <= reminders; k++) {
      const times = reminded.filter((other) => other === k).length;
      const wanted = forgotten.includes(k) ? 0 : 1;
      this.#claim(times === wanted, `reminder ${k} of ${name} came ${times} times instead of ${wanted}`);
    }
  }

  #judgeNotes(): void {
    for (const { name, record } of this.#last.values()) {
      const sent = (record.snapshot.context as unknown as RelayContext).sent;
      for (const [to, count] of Object.entries(sent ?? {})) {
        const got = appliedOf(this.#last.get(to)).filter((id) => id.startsWith(`note:${name}:`)).length;
        this.#claim(got === count, `${to} got ${got} of the ${count} notes of ${name}`);
      }
      const results = (record.snapshot.context as unknown as JobContext).results ?? [];
      for (const n of results) {
        const got = appliedOf(this.#last.get("counter/a")).filter((id) => id === `note:${name}:${n}`).length;
        this.#claim(got === 1, `the note of ${name} about ${n} came ${got} times`);
      }
    }
  }

  #judgeLetters(buried: readonly string[]): void {
    for (const [id, { body }] of this.#asked) {
      const letters = buried.filter((other) => other === id).length;
      const answer = this.#answers.get(id);
      const cancelled = answer && !answer.ok && answer.code === "actor.cancelled";
      const poisonous = !cancelled && (body.type === "poison" || body.type === "bad_write");
      const wanted = poisonous ? 1 : 0;
      this.#claim(letters === wanted, `${id} has ${letters} dead letters instead of ${wanted}`);
    }
  }
}
