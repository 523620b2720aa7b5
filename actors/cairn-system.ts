/** The actor system with the protocols of Cairn's kinds: `ask`, `tell` and `query` are typed by them. */
import type { Protocols } from "../machines/kinds.ts";
import type { ActorSystem } from "./runtime/index.ts";

export type CairnSystem = ActorSystem<Protocols>;
