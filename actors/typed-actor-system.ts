/**
 * The actor system of Cairn. The types of `ask`, `tell` and `query` come from the protocols of all actor
 * kinds.
 */
import type { Protocols } from "../machines/actor-kinds.ts";
import type { ActorSystem } from "./runtime/index.ts";

export type CairnSystem = ActorSystem<Protocols>;
