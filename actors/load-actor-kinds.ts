/**
 * Loads the definitions of all actor kinds in the list of `machines/actor-kinds.ts`, each from
 * `actors/<kind>/kind.ts`.
 */
import { kinds } from "../machines/actor-kinds.ts";
import type { AnyActorDefinition } from "./runtime/index.ts";

async function loadKind(name: string): Promise<AnyActorDefinition> {
  const module: Readonly<Record<string, unknown>> = await import(`./${name}/kind.ts`);
  const definition = module[name];
  if (!isDefinition(definition, name)) {
    throw new TypeError(`actors/${name}/kind.ts must export \`${name}\`, made by defineKind.`);
  }
  return definition;
}

function isDefinition(value: unknown, name: string): value is AnyActorDefinition {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === name;
}

export async function loadKinds(): Promise<readonly AnyActorDefinition[]> {
  return await Promise.all(Object.keys(kinds).map(loadKind));
}
