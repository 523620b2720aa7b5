/**
 * A case of the model test: the commands of the clients, the faults with their times, and the seed for the
 * order of events.
 */
import fc from "fast-check";
import { parseAddress, shardOf } from "../../../../actors/runtime/index.ts";

const COUNTERS = ["counter/a", "counter/b", "counter/c"] as const;
const RELAYS = ["relay/a", "relay/b"] as const;
const JOBS = ["job/a", "job/b"] as const;
const ALARMS = ["alarm/a", "alarm/b"] as const;

/** The shards that contain all actors of a test case. */
export const SHARDS = [
  ...new Set([...COUNTERS, ...RELAYS, ...JOBS, ...ALARMS].map((name) => shardOf(parseAddress(name)))),
];

interface Command {
  readonly actor: string;
  readonly body: { readonly type: string };
}

/**
 * Generates commands for actors of one kind. Each command has a random type and random values in all fields. The
 * state machine of the actor ignores fields that the type does not use.
 */
function commands(
  actors: readonly string[],
  types: readonly string[],
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Command> {
  const body = fc.record({ type: fc.constantFrom(...types), ...fields });
  return fc.record({ actor: fc.constantFrom(...actors), body });
}

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: commands(COUNTERS, ["add"]) },
  { weight: 1, arbitrary: commands(COUNTERS, ["refuse", "unknown", "poison", "bad_write"]) },
  {
    weight: 3,
    arbitrary: commands(RELAYS, ["relay"], {
      to: fc.array(fc.constantFrom(...COUNTERS), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: commands(JOBS, ["do", "do", "again", "stop"], {
      steps: fc.nat(3),
      fails: fc.boolean(),
      leaves: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: commands(ALARMS, ["arm", "arm", "disarm", "remind", "forget"], {
      delay: fc.constantFrom(0, 10, 1_000, 7_000, 45_000),
    }),
  },
);

export type Fault =
  | { readonly kind: "kill"; readonly host: string; readonly posthumous: boolean }
  | { readonly kind: "restart"; readonly posthumous: boolean }
  | { readonly kind: "steal"; readonly host: string }
  | { readonly kind: "freeze"; readonly host: string; readonly ms: number }
  | { readonly kind: "stall"; readonly host: string; readonly ms: number }
  | { readonly kind: "drain"; readonly host: string }
  | { readonly kind: "store"; readonly away: "before" | "after" | "late"; readonly ms: number };

const kind = <K extends Fault["kind"]>(name: K) => fc.constant(name);
const host = fc.constantFrom("A", "B");
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind("kill"), host, posthumous: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("restart"), posthumous: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("steal"), host }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind("freeze"), host, ms: fc.constantFrom(100, 8_000, 15_000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("stall"), host, ms: fc.constantFrom(4_000, 15_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("drain"), host }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("store"),
      away: fc.constantFrom("before" as const, "after" as const, "late" as const),
      ms: fc.constantFrom(20, 500, 9_000),
    }),
  },
);

const cancellable = fc
  .tuple(command, fc.constantFrom(null, null, null, null, null, null, 0, 1, 40, 3_000))
  .map(([asked, cancelAfter]) => ({ ...asked, cancelAfter }));

export interface Scenario {
  /**
   * The simulated clients. Each sends its commands one after another, waits for each answer, and cancels some
   * commands after a delay.
   */
  readonly clients: readonly {
    readonly pause: number;
    readonly commands: readonly (Command & { readonly cancelAfter: number | null })[];
  }[];
  /**
   * Commands that are sent to one counter at the same time. `size`: their number. `poison`: the position of
   * the command at which the counter throws an error; 0 if none does.
   */
  readonly burst: { readonly size: number; readonly poison: number };
  /** Milliseconds without an answer after which a client sends a command again. */
  readonly patience: number;
  /** The names of the workers. Each worker tries to acquire all shards. */
  readonly hosts: readonly string[];
  readonly mailbox: number;
  /**
   * The faults in the order in which they are injected. `after` is the number of events between the previous
   * fault and this one.
   */
  readonly faults: readonly { readonly after: number; readonly fault: Fault }[];
  /** Seed that determines the order of events. With 0, events run in the order in which they were created. */
  readonly order: number;
}

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  clients: fc.array(
    fc.record({
      pause: fc.constantFrom(0, 0, 100, 20_000),
      commands: fc.array(cancellable, { minLength: 1, maxLength: 8, size: "max" }),
    }),
    { minLength: 1, maxLength: 5, size: "max" },
  ),
  burst: fc.record({ size: fc.constantFrom(0, 0, 0, 5, 50, 70), poison: fc.constantFrom(0, 0, 3, 20, 40) }),
  patience: fc.constantFrom(5_000, 5_000, 300_000),
  hosts: fc.constantFrom(["A"], ["A", "B"], ["A", "B"]),
  mailbox: fc.constantFrom(2, 1_024, 1_024),
  faults: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    {
      weight: 5,
      arbitrary: fc.array(fc.record({ after: fc.nat(60), fault }), { maxLength: 8, size: "max" }),
    },
  ),
  order: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat() }),
});
