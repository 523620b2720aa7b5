/**
 * What strikes a cluster and when, from a seed: moments are shares of the load that is done, not times, so that a
 * schedule means the same on a slow machine.
 */
import type { Cluster } from "./cluster.ts";

export type Fault =
  | { readonly kind: "kill"; readonly node: number; readonly downFor: number }
  | { readonly kind: "drain"; readonly node: number; readonly downFor: number }
  | { readonly kind: "pause"; readonly node: number; readonly downFor: number }
  | { readonly kind: "nats"; readonly signal: "SIGTERM" | "SIGKILL"; readonly downFor: number };

export interface Strike {
  /** Of the commands that are answered, 0 to 1. */
  readonly at: number;
  readonly fault: Fault;
}

/** Four to eight strikes, among them at least one of each kind but the gentle one. Times in milliseconds. */
export function drawSchedule(random: () => number, nodes: number, leaseTtl: number): readonly Strike[] {
  const kinds: Fault["kind"][] = ["kill", "pause", "nats"];
  const more = 1 + Math.floor(random() * 5);
  for (let i = 0; i < more; i++) {
    kinds.push(
      (["kill", "pause", "nats", "drain", "kill", "pause"] as const)[Math.floor(random() * 6)] ?? "kill",
    );
  }
  return kinds
    .map((kind) => ({ at: 0.05 + random() * 0.8, fault: drawFault(kind, random, nodes, leaseTtl) }))
    .sort((a, b) => a.at - b.at);
}

function drawFault(kind: Fault["kind"], random: () => number, nodes: number, leaseTtl: number): Fault {
  const node = Math.floor(random() * nodes);
  switch (kind) {
    case "nats":
      return { kind, signal: random() < 0.5 ? "SIGKILL" : "SIGTERM", downFor: random() * leaseTtl };
    case "pause":
      // Most past the lease, some within it.
      return {
        kind,
        node,
        downFor: random() < 0.75 ? leaseTtl * (1.1 + random()) : leaseTtl * random() * 0.6,
      };
    default:
      return { kind, node, downFor: random() * leaseTtl * 1.5 };
  }
}

export function inWords({ at, fault }: Strike): string {
  const what = fault.kind === "nats" ? `nats ${fault.signal}` : `${fault.kind} node${fault.node + 1}`;
  return `${(at * 100).toFixed(0)}% ${what} ${(fault.downFor / 1_000).toFixed(1)}s`;
}

/**
 * Brings a fault and undoes it. `struck` resolves when it has done its harm: the node is dead or stands still, the
 * broker is back. `over` resolves when what it struck is up again.
 */
export function strike(cluster: Cluster, fault: Fault): { struck: Promise<void>; over: Promise<void> } {
  if (fault.kind === "nats") {
    const back = cluster.restartNats(fault.signal, fault.downFor);
    return { struck: back, over: back };
  }
  const node = cluster.node(fault.node);
  // Down or paused already: what struck it before brings it back.
  if (!node.up) return { struck: Promise.resolve(), over: Promise.resolve() };
  const struck = (async () => {
    if (fault.kind === "pause") node.pause();
    else if (fault.kind === "kill") await node.kill();
    else await node.drain();
  })();
  const over = (async () => {
    await struck;
    await Bun.sleep(fault.downFor);
    if (fault.kind === "pause") node.resume();
    else await node.start();
  })();
  // Told when the round looks at it: until then it must not end the whole run, and leave its processes behind.
  for (const outcome of [struck, over]) outcome.catch(() => {});
  return { struck, over };
}
