/**
 * Generates from a seed the commands that all clients send in a round. Most commands are for counters, a few
 * of which are busy. The others are for timers and actions.
 */
import type { ClientCommand, ClusterClient } from "./chaos-cluster-client.ts";

export interface LoadSize {
  readonly counters: number;
  /** Total number of commands that the clients send to counters. */
  readonly commands: number;
  readonly timers: number;
  readonly actions: number;
}

/**
 * Share (0 to 1) of the commands that are sent to a small group of counters, so that these counters are
 * always busy.
 */
const BUSY_SHARE = 0.1;
const BUSY_COUNTERS = 20;
/** Maximum number of unanswered commands of one client. */
const MAX_RUNNING = 48;
/** Maximum number of commands to one counter that a client sends without waiting for their answers. */
const MAX_RUNNING_PER_COUNTER = 4;

/**
 * Sends all commands, and calls `answered` for each answer. Resolves when all are answered or the time limit
 * has passed.
 *
 * Each command has a target, such as a counter. Half of the clients wait for the answer of a counter before
 * they send the next command to the same counter.
 */
export async function playLoad(
  clients: readonly ClusterClient[],
  random: () => number,
  size: LoadSize,
  until: number,
  answered: () => void,
): Promise<void> {
  const plans = clients.map((client, i) => ({
    client,
    pipeline: i % 2 === 0 ? 1 : MAX_RUNNING_PER_COUNTER,
    commands: drawCommands(client.name, random, size, clients.length),
  }));
  await Promise.all(
    plans.map(({ client, pipeline, commands }) => sendCommands(client, commands, pipeline, until, answered)),
  );
}

function drawCommands(
  client: string,
  random: () => number,
  size: LoadSize,
  clients: number,
): ClientCommand[] {
  const places = new Map<string, number>();
  const command = (to: string, body: ClientCommand["body"]): ClientCommand => {
    const k = (places.get(to) ?? 0) + 1;
    places.set(to, k);
    return { id: `${client}/${to}/${k}`, to, body, position: k, attempts: 0, answer: undefined };
  };
  const shares = { counter: size.commands, clock: size.timers, action: size.actions };
  const all: (keyof typeof shares)[] = [];
  for (const kind of ["counter", "clock", "action"] as const) {
    for (let i = 0; i < shares[kind] / clients; i++) all.push(kind);
  }
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] ?? "counter", all[i] ?? "counter"];
  }
  return all.map((kind) => {
    switch (kind) {
      case "clock":
        return command(`clock/${Math.floor(random() * 20)}`, { type: "set", delay: random() * 8_000 });
      case "action":
        return command(`action/${Math.floor(random() * 20)}`, { type: "run" });
      default: {
        const among = random() < BUSY_SHARE ? Math.min(BUSY_COUNTERS, size.counters) : size.counters;
        return command(`counter/${Math.floor(random() * among)}`, { type: "add" });
      }
    }
  });
}

/** Sends the commands in order, each as soon as the limits for its actor and its client permit it. */
async function sendCommands(
  client: ClusterClient,
  commands: readonly ClientCommand[],
  pipeline: number,
  until: number,
  answered: () => void,
): Promise<void> {
  const underWay = new Map<string, Promise<void>[]>();
  const window = new Set<Promise<void>>();
  for (const command of commands) {
    while (window.size >= MAX_RUNNING) await Promise.race(window);
    const others = underWay.get(command.to) ?? [];
    while (others.length >= pipeline) await Promise.race(others);
    const sending: Promise<void> = client.recordAndSend(command, until).then(() => {
      window.delete(sending);
      others.splice(others.indexOf(sending), 1);
      if (others.length === 0) underWay.delete(command.to);
      answered();
    });
    window.add(sending);
    others.push(sending);
    underWay.set(command.to, others);
  }
  await Promise.all(window);
}
