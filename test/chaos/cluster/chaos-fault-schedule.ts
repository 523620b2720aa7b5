/**
 * Generates the faults of a round from a seed. Each fault happens when a certain share of the commands is
 * answered, and not at a certain time. The same faults thus hit the same commands on a fast and on a slow
 * machine.
 */
import type { TestCluster } from "./chaos-test-cluster.ts";

export type Fault =
  | { readonly kind: "kill"; readonly node: number; readonly downFor: number }
  | { readonly kind: "drain"; readonly node: number; readonly downFor: number }
  | { readonly kind: "pause"; readonly node: number; readonly downFor: number }
  | { readonly kind: "nats"; readonly signal: "SIGTERM" | "SIGKILL"; readonly downFor: number };

export interface ScheduledFault {
  /** The fault is injected when this share of the commands, from 0 to 1, is answered. */
  readonly at: number;
  readonly fault: Fault;
}

/**
 * Generates four to eight faults, among them at least one kill, one pause and one restart of NATS. Times are
 * in milliseconds.
 */
export function drawSchedule(
  random: () => number,
  nodes: number,
  leaseTtl: number,
): readonly ScheduledFault[] {
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
      // In three of four cases, the node is paused for longer than its lease lasts, so that it loses its shards.
      return {
        kind,
        node,
        downFor: random() < 0.75 ? leaseTtl * (1.1 + random()) : leaseTtl * random() * 0.6,
      };
    default:
      return { kind, node, downFor: random() * leaseTtl * 1.5 };
  }
}

export function describeFault({ at, fault }: ScheduledFault): string {
  const what = fault.kind === "nats" ? `nats ${fault.signal}` : `${fault.kind} node${fault.node + 1}`;
  return `${(at * 100).toFixed(0)}% ${what} ${(fault.downFor / 1_000).toFixed(1)}s`;
}

/**
 * Injects a fault and then repairs it. `injected` resolves when the node is dead or paused, or the broker was
 * restarted. `recovered` resolves when the node runs again.
 */
export function injectFault(
  cluster: TestCluster,
  fault: Fault,
): { injected: Promise<void>; recovered: Promise<void> } {
  if (fault.kind === "nats") {
    const back = cluster.restartNats(fault.signal, fault.downFor);
    return { injected: back, recovered: back };
  }
  const node = cluster.node(fault.node);
  // The node does not run, because of an earlier fault. That fault starts the node again, so this fault does
  // nothing.
  if (!node.up) return { injected: Promise.resolve(), recovered: Promise.resolve() };
  const injected = (async () => {
    if (fault.kind === "pause") node.pause();
    else if (fault.kind === "kill") await node.kill();
    else await node.drain();
  })();
  const recovered = (async () => {
    await injected;
    await Bun.sleep(fault.downFor);
    if (fault.kind === "pause") node.resume();
    else await node.start();
  })();
  // The caller awaits `injected` and `recovered` later. Until then, these handlers prevent an unhandled
  // rejection. It would end this process and leave the started processes running.
  for (const outcome of [injected, recovered]) outcome.catch(() => {});
  return { injected, recovered };
}
