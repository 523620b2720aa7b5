/** Validates commands with the schemas of their kind. Only the node's main thread loads them, so workers need no zod. */
import { Refused } from "../machines/errors.ts";
import { explorationProtocol } from "../machines/exploration/protocol.ts";
import { hostProtocol } from "../machines/host/protocol.ts";
import { janitorProtocol } from "../machines/janitor/protocol.ts";
import type { KindProtocol } from "../machines/kind-protocol.ts";
import type { Protocols } from "../machines/kinds.ts";
import { knowledgeProtocol } from "../machines/knowledge/protocol.ts";
import { sessionProtocol } from "../machines/session/protocol.ts";
import type { CommandBody } from "./runtime/index.ts";

const protocols: Protocols = {
  exploration: explorationProtocol,
  knowledge: knowledgeProtocol,
  host: hostProtocol,
  janitor: janitorProtocol,
  session: sessionProtocol,
};

/** @throws Refused `actor.bad_command` (422) for an unknown command or wrong fields */
export function validateCommand(kind: string, { type, ...fields }: CommandBody): void {
  const protocol: KindProtocol | undefined = Object.entries(protocols).find(([name]) => name === kind)?.[1];
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
