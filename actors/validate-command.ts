/**
 * Validates commands with the schemas of their kind. Only the node's main thread loads them, so workers need
 * no zod.
 */

import type { KindProtocol } from "../machines/actor-kind-protocol.ts";
import { kinds } from "../machines/actor-kinds.ts";
import { Refused } from "../machines/errors.ts";
import type { CommandBody } from "./runtime/index.ts";

/** Loads the protocols of all actor kinds, with whose schemas commands are validated. */
export async function loadProtocols(): Promise<ReadonlyMap<string, KindProtocol>> {
  return new Map(
    await Promise.all(
      Object.entries(kinds).map(async ([name, { protocol }]) => [name, await protocol()] as const),
    ),
  );
}

/**
 * Checks a command against the protocol of its actor kind.
 * @throws Refused `actor.bad_command` (422) for an unknown command or wrong fields
 */
export function validateCommand(
  protocols: ReadonlyMap<string, KindProtocol>,
  kind: string,
  { type, ...fields }: CommandBody,
): void {
  const protocol = protocols.get(kind);
  if (!protocol) return;
  const command = Object.hasOwn(protocol.commands, type) ? protocol.commands[type] : undefined;
  if (!command) {
    throw new Refused(
      "actor.bad_command",
      `${kind} has no command ${type}; it has ${Object.keys(protocol.commands).join(", ")}.`,
      { status: 422 },
    );
  }
  const parsed = command.fields.safeParse(fields);
  if (parsed.success) return;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new Refused(
    "actor.bad_command",
    `${kind} cannot take ${type}: ${issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}`,
    { status: 422, details: { issues } },
  );
}
