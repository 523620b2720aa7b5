/**
 * The kinds of actors: the one list that feeds workers, charts, versions, placement and the types of `system.ask`.
 *
 * A new kind is one line here, `machines/<kind>/` and `actors/<kind>/kind.ts`, which exports the definition under
 * the kind's name.
 */
import type { ExplorationProtocol } from "./exploration/protocol.ts";
import type { HostProtocol } from "./host/protocol.ts";
import type { JanitorProtocol } from "./janitor/protocol.ts";
import type { KindProtocol } from "./kind-protocol.ts";
import type { KnowledgeProtocol } from "./knowledge/protocol.ts";
import type { Role } from "./runtime/roles.ts";
import type { SessionProtocol } from "./session/protocol.ts";

export interface Kind<P extends KindProtocol = KindProtocol> {
  /**
   * Version of the machine, stored with every snapshot. Raise it with a change that makes older snapshots
   * unreadable; the kind's `migrate` converts them. No node gets a shard with actors it cannot read.
   */
  readonly version: number;
  /** The role that a node needs to host the kind. It decides the shard group: fixed for the life of a store. */
  readonly role: Exclude<Role, "gateway">;
  /** Loads the statechart. */
  readonly machine: () => Promise<object>;
  /** Carries the type of the protocol; it has no value. */
  readonly "~protocol"?: P;
}

/** Declares a kind with the type of its protocol. */
function kind<P extends KindProtocol>(facts: Omit<Kind<P>, "~protocol">): Kind<P> {
  return facts;
}

export const kinds = {
  exploration: kind<ExplorationProtocol>({
    version: 1,
    role: "browser",
    machine: async () => (await import("./exploration/machine.ts")).explorationMachine,
  }),
  knowledge: kind<KnowledgeProtocol>({
    version: 1,
    role: "compute",
    machine: async () => (await import("./knowledge/machine.ts")).knowledgeMachine,
  }),
  host: kind<HostProtocol>({
    version: 1,
    role: "compute",
    machine: async () => (await import("./host/machine.ts")).hostMachine,
  }),
  janitor: kind<JanitorProtocol>({
    version: 1,
    role: "compute",
    machine: async () => (await import("./janitor/machine.ts")).janitorMachine,
  }),
  session: kind<SessionProtocol>({
    version: 2,
    role: "browser",
    machine: async () => (await import("./session/machine.ts")).sessionMachine,
  }),
};

export type KindName = keyof typeof kinds;

/** The protocols of all kinds, for the types of `system.ask`. */
export type Protocols = { readonly [Name in KindName]: NonNullable<(typeof kinds)[Name]["~protocol"]> };

/** The version of each kind's machine, as nodes exchange them. */
export const kindVersions: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(kinds).map(([name, { version }]) => [name, version]),
);
