/**
 * The list of all kinds of actors, from which workers, state charts, placement on nodes and the types of
 * `system.ask` are derived.
 *
 * A new kind needs one line here, `machines/<kind>/`, and `actors/<kind>/<kind>-actor-kind.ts`, which exports the
 * definition under the kind's name.
 */
import type { KindProtocol } from "./actor-kind-protocol.ts";
import type { Role } from "./runtime/cluster-node-roles.ts";

export interface Kind<P extends KindProtocol = KindProtocol> {
  /**
   * Version of the state machine, stored with each snapshot. Increase it when the new machine cannot read
   * older snapshots; the kind's `migrate` then converts them. A node never gets a shard that contains actors
   * of a version newer than its own.
   */
  readonly version: number;
  /**
   * The role of the nodes that run actors of this kind. It determines to which group of shards the actors
   * belong. This group must never change, because stored actors keep their shards.
   */
  readonly role: Exclude<Role, "gateway">;
  /** Loads the kind's state machine. */
  readonly machine: () => Promise<object>;
  /** Loads the schemas of the kind's commands. Worker threads never call it, so that they do not load zod. */
  readonly protocol: () => Promise<P>;
}

/** Checks the type of an actor kind's declaration, and returns its argument. */
function kind<P extends KindProtocol>(facts: Kind<P>): Kind<P> {
  return facts;
}

export const kinds = {
  exploration: kind({
    // Version 2 stores the same state as version 1. The higher number keeps explorations away from nodes of
    // older releases, which would drop the account's role from the state. The version of walks (executed
    // routes) was raised for the same reason.
    version: 2,
    role: "browser",
    machine: async () => (await import("./exploration/exploration-machine.ts")).explorationMachine,
    protocol: async () => (await import("./exploration/exploration-protocol.ts")).explorationProtocol,
  }),
  dialogue: kind({
    version: 4,
    role: "compute",
    machine: async () => (await import("./dialogue/dialogue-machine.ts")).dialogueMachine,
    protocol: async () => (await import("./dialogue/dialogue-protocol.ts")).dialogueProtocol,
  }),
  navigation: kind({
    version: 1,
    role: "browser",
    machine: async () => (await import("./navigation/navigation-machine.ts")).navigationMachine,
    protocol: async () => (await import("./navigation/navigation-protocol.ts")).navigationProtocol,
  }),
  walk: kind({
    version: 2,
    role: "compute",
    machine: async () => (await import("./walk/walk-machine.ts")).walkMachine,
    protocol: async () => (await import("./walk/walk-protocol.ts")).walkProtocol,
  }),
  knowledge: kind({
    // Versions 3 and 4 have the same state as version 2. The higher numbers keep maps away from nodes of
    // older releases. Releases before version 3 would not record changes of texts, and those before version 4
    // would drop the roles of accounts.
    version: 4,
    role: "compute",
    machine: async () => (await import("./knowledge/knowledge-machine.ts")).knowledgeMachine,
    protocol: async () => (await import("./knowledge/knowledge-protocol.ts")).knowledgeProtocol,
  }),
  host: kind({
    version: 1,
    role: "compute",
    machine: async () => (await import("./host/host-machine.ts")).hostMachine,
    protocol: async () => (await import("./host/host-protocol.ts")).hostProtocol,
  }),
  janitor: kind({
    version: 1,
    role: "compute",
    machine: async () => (await import("./janitor/janitor-machine.ts")).janitorMachine,
    protocol: async () => (await import("./janitor/janitor-protocol.ts")).janitorProtocol,
  }),
  session: kind({
    version: 2,
    role: "browser",
    machine: async () => (await import("./session/session-machine.ts")).sessionMachine,
    protocol: async () => (await import("./session/session-protocol.ts")).sessionProtocol,
  }),
};

export type KindName = keyof typeof kinds;

/** For each actor kind, the type of its protocol. */
export type Protocols = {
  readonly [Name in KindName]: Awaited<ReturnType<(typeof kinds)[Name]["protocol"]>>;
};

/** For each kind, the version of its state machine. Nodes compare these versions with each other. */
export const kindVersions: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(kinds).map(([name, { version }]) => [name, version]),
);
