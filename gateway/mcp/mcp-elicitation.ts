/**
 * Asks the person behind an MCP client by a form (elicitation). A client of MCP's 2025 revision is asked during the
 * call. A client of the 2026 revision gets the form as the result of the call, and repeats the call with the answer.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { Refused } from "../../machines/errors.ts";
import type { FormAnswer, PersonForm } from "../tools/convert-dialogue-questions-to-form.ts";
import type { Call } from "../tools/define-tool.ts";

/**
 * Ends a tool call with a form that the person must fill in. The form is returned as the result of the call, as
 * MCP's 2026 revision requires.
 */
class PersonAsked extends Refused {
  readonly form: PersonForm;

  constructor(form: PersonForm) {
    super("dialogue.person_asked", "The question is put to the person of the client.", { status: 409 });
    this.form = form;
  }
}

/**
 * If a call failed because a person must be asked, returns the form for the person as the call's result.
 * Otherwise returns `undefined`.
 */
export function formResult(thrown: unknown): InputRequiredResult | undefined {
  if (!(thrown instanceof PersonAsked)) return undefined;
  const { key, ...rest } = elicitationOf(thrown.form);
  return inputRequired({ inputRequests: { [key]: inputRequired.elicit(rest) } });
}

export type ToolAnswer = CallToolResult | InputRequiredResult;

function elicitationOf({ key, message, fields, required }: PersonForm) {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field }]));
  return { key, message, requestedSchema: { type: "object" as const, properties, required: [...required] } };
}

/**
 * Returns the function that asks the person who uses the client; `undefined` if the client cannot show a
 * form.
 */
export function askPersonOf(
  era: "legacy" | "modern",
  declared: ClientCapabilities | undefined,
  { mcpReq }: ServerContext,
): Call["askPerson"] {
  if (era === "modern") {
    // The cast is safe: the MCP library has validated the client's capabilities in the envelope of the
    // request.
    const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = (mcpReq.envelope ?? {}) as {
      readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
    };
    if (!capabilities?.elicitation) return undefined;
    return async (form) => {
      const view = inputResponse(mcpReq.inputResponses, form.key);
      if (view.kind === "elicit") return answerOf(view);
      throw new PersonAsked(form);
    };
  }
  if (!declared?.elicitation) return undefined;
  return async (form) => {
    const { key: _, ...rest } = elicitationOf(form);
    return answerOf(await mcpReq.elicitInput({ mode: "form", ...rest }));
  };
}

function answerOf({
  action,
  content,
}: {
  readonly action: string;
  readonly content?: object | undefined;
}): FormAnswer {
  if (action === "accept") return { action, content: { ...content } };
  return { action: action === "decline" ? "decline" : "cancel" };
}
