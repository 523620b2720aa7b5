/** The actor system of Cairn. The protocols of all kinds give the types of `ask`, `tell` and `query`. */
import type { Protocols } from "../machines/kinds.ts";
import type { ActorSystem } from "./runtime/index.ts";

export type CairnSystem = ActorSystem<Protocols>;
