/**
 * Loads the definitions of all actor kinds in the list of `machines/actor-kinds.ts`, each from
 * `actors/<kind>/<kind>-actor-kind.ts`.
 */
import { type KindName, kinds } from "../machines/actor-kinds.ts";
import { type AnyActorDefinition, definedOnFirstUse } from "./runtime/index.ts";

/**
 * The kinds that each worker loads at its start, because most nodes use them soon. The code of another kind,
 * such as the word tables of the task planner, is loaded with its first actor. All this code takes 8 MB in
 * each worker.
 */
const LOADED_AT_START: ReadonlySet<string> = new Set<KindName>(["host", "janitor", "session"]);

async function loadKind(name: string): Promise<AnyActorDefinition> {
  const module: Readonly<Record<string, unknown>> = await import(`./${name}/${name}-actor-kind.ts`);
  const definition = module[name];
  if (!isDefinition(definition, name)) {
    throw new TypeError(`actors/${name}/${name}-actor-kind.ts must export \`${name}\`, made by defineKind.`);
  }
  return definition;
}

function isDefinition(value: unknown, name: string): value is AnyActorDefinition {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === name;
}

export async function loadKinds(): Promise<readonly AnyActorDefinition[]> {
  return await Promise.all(
    Object.entries(kinds).map(([name, { version }]) =>
      LOADED_AT_START.has(name) ? loadKind(name) : definedOnFirstUse(name, version, () => loadKind(name)),
    ),
  );
}
