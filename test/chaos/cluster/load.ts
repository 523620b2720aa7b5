/**
 * What the clients ask of a cluster in one round, from a seed: commands of counters, a few of them busy, timers and
 * acts. Neighbours: `client.ts` asks, `judge.ts` knows what must have come of it.
 */
import type { Asked, Client } from "./client.ts";

export interface LoadSize {
  readonly counters: number;
  /** Of all clients together. */
  readonly commands: number;
  readonly timers: number;
  readonly acts: number;
}

/** One command in so many is for one of these few counters. */
const BUSY_SHARE = 0.1;
const BUSY = 20;
/** Asks under way of one client. */
const WINDOW = 48;
/** Commands of one client for one counter that may be under way at once, where it does not wait for each. */
const PIPELINE = 4;

/**
 * Asks everything; resolves when all is answered, or patience ends. `answered` hears of each answer.
 * Half of the clients wait for each answer of a counter before they ask it again, the others do not.
 */
export async function playLoad(
  clients: readonly Client[],
  random: () => number,
  size: LoadSize,
  until: number,
  answered: () => void,
): Promise<void> {
  const plans = clients.map((client, i) => ({
    client,
    pipeline: i % 2 === 0 ? 1 : PIPELINE,
    commands: drawCommands(client.name, random, size, clients.length),
  }));
  await Promise.all(
    plans.map(({ client, pipeline, commands }) => send(client, commands, pipeline, until, answered)),
  );
}

function drawCommands(client: string, random: () => number, size: LoadSize, clients: number): Asked[] {
  const places = new Map<string, number>();
  const command = (to: string, body: Asked["body"]): Asked => {
    const k = (places.get(to) ?? 0) + 1;
    places.set(to, k);
    return { id: `${client}/${to}/${k}`, to, body, k, sent: 0, answer: undefined };
  };
  const shares = { counter: size.commands, clock: size.timers, hand: size.acts };
  const all: (keyof typeof shares)[] = [];
  for (const kind of ["counter", "clock", "hand"] as const) {
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
      case "hand":
        return command(`hand/${Math.floor(random() * 20)}`, { type: "act" });
      default: {
        const among = random() < BUSY_SHARE ? Math.min(BUSY, size.counters) : size.counters;
        return command(`counter/${Math.floor(random() * among)}`, { type: "add" });
      }
    }
  });
}

/** In their order, each as soon as its actor and the window allow. */
async function send(
  client: Client,
  commands: readonly Asked[],
  pipeline: number,
  until: number,
  answered: () => void,
): Promise<void> {
  const underWay = new Map<string, Promise<void>[]>();
  const window = new Set<Promise<void>>();
  for (const command of commands) {
    while (window.size >= WINDOW) await Promise.race(window);
    const others = underWay.get(command.to) ?? [];
    while (others.length >= pipeline) await Promise.race(others);
    const sending: Promise<void> = client.insist(command, until).then(() => {
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
