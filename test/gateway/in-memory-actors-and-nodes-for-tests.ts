/**
 * Dead letters, actors and nodes in memory, for tests of the gateway. `test/actors` tests the real
 * implementation.
 */
import type { Operations } from "../../gateway/actor-system-interface.ts";
import { Refused, Unavailable } from "../../machines/errors.ts";
import type { MetricFamily } from "../../machines/runtime/metric-counters.ts";
import type {
  ActorDetail,
  ActorList,
  CommandSent,
  DeadLetter,
  DeadLetters,
  Discarded,
  ListActors,
  ListDeadLetters,
  Nodes,
  Replayed,
  SendCommand,
  Unparked,
} from "../../machines/runtime/runtime-administration-schemas.ts";

const MOMENT = "2026-01-12T10:00:00.000Z";

export class MemoryOperations implements Operations {
  readonly letters = new Map<string, DeadLetter>();
  /** The calls that the tested gateway has made to this object so far. The first call comes first. */
  readonly calls: unknown[] = [];
  parked = true;
  /** Whether the list of actors has a next page. */
  hasMoreActors = false;

  constructor() {
    for (const id of ["dl-1", "dl-2", "dl-3"]) {
      this.letters.set(id, {
        id,
        kind: "exploration",
        actor_id: "one/two",
        item: "command",
        command_id: `command of ${id}`,
        message: { id: `command of ${id}`, body: { type: "PAUSE" } },
        error: { code: "actor.step_failed", message: "It broke." },
        attempts: 3,
        at: MOMENT,
      });
    }
  }

  async actors(request: ListActors): Promise<ActorList> {
    this.calls.push(request);
    const actor = { kind: "exploration", id: "one/two", state: "parked", version: 1, shard: 7 };
    const actors = [{ ...actor, wake_at: null, updated_at: MOMENT }];
    return { actors, next_cursor: this.hasMoreActors ? "next" : null };
  }

  async send(command: SendCommand, commandId?: string): Promise<CommandSent> {
    this.calls.push({ ...command, commandId });
    await this.actor(command.kind, command.id);
    return { kind: command.kind, id: command.id, command: command.type, reply: { status: "paused" } };
  }

  async actor(kind: string, id: string): Promise<ActorDetail> {
    if (id === "newer") throw new Unavailable("actor.newer_version", "A newer Cairn stored it.");
    if (id !== "one/two")
      throw new Refused("actor.not_found", `There is no actor ${kind}/${id}.`, { status: 404 });
    return {
      kind,
      id,
      machine: { id: kind, version: 1 },
      state: "parked",
      value: { active: "running" },
      status: "active",
      context: { password: "********" },
      parked: { code: "internal.defect", message: "It broke.", at: MOMENT },
      shard: 7,
      owner: "node-1-w1.1",
      fence: 1,
      mailbox: { waiting: 0, capacity: 1_024 },
      timers: [{ id: "rest", event: "rest", due: MOMENT }],
      effects: [],
      outbox: [],
      last_events: [],
    };
  }

  async unpark(kind: string, id: string): Promise<Unparked> {
    const unparked = this.parked;
    this.parked = false;
    return { kind, id, state: "active.running", unparked };
  }

  async deadLetters({ limit, cursor = "" }: ListDeadLetters): Promise<DeadLetters> {
    const rest = [...this.letters.values()].filter(({ id }) => id > cursor);
    const dead_letters = rest.slice(0, limit);
    return { dead_letters, next_cursor: rest.length > limit ? (dead_letters.at(-1)?.id ?? null) : null };
  }

  #take(id: string): DeadLetter {
    const letter = this.letters.get(id);
    if (!letter)
      throw new Refused("dead_letter.not_found", `There is no dead letter ${id}.`, { status: 404 });
    this.letters.delete(id);
    return letter;
  }

  async replay(id: string): Promise<Replayed> {
    const { kind, actor_id } = this.#take(id);
    const outcome = { ok: true, result: { n: 1 } };
    return { id, kind, actor_id, state: "paused", unparked: this.parked, outcome };
  }

  async discard(id: string): Promise<Discarded> {
    this.#take(id);
    return { id, discarded: true };
  }

  async metrics(): Promise<readonly MetricFamily[]> {
    const labels = { kind: "exploration", result: 'o"k\\' };
    return [
      { name: "cairn_commands_total", help: "Commands", type: "counter", samples: [{ labels, value: 3 }] },
      { name: "cairn_empty_total", help: "Nothing", type: "counter", samples: [] },
      {
        name: "cairn_step_seconds",
        help: "Steps",
        type: "histogram",
        bounds: [0.1, 1],
        samples: [{ labels: { kind: "host" }, counts: [2, 1, 1], sum: 7.5 }],
      },
    ];
  }

  async nodes(): Promise<Nodes> {
    const worker = { name: "node-1-w1", ready: true, starts: 1, shards: [1, 2], actors: 3 };
    const node = { name: "node-1", self: true, version: "0.0.0", roles: ["gateway"], since: MOMENT };
    return { nodes: [{ ...node, shards: 2, workers: [worker] }] };
  }
}
