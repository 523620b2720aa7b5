/**
 * Who asks, carried through the protocol's own library to the call of a tool.
 *
 * The library hands on what it is given (`AuthInfo`) and looks at none of it. The key itself is not handed on.
 * Neighbours: `endpoint.ts` gives, `cairn-server.ts` takes.
 */
import type { AuthInfo } from "@modelcontextprotocol/server";
import { Defect } from "../../machines/errors.ts";
import { type Caller, type Scope, scopes } from "../security/scope.ts";
import type { CallContext } from "../tools/tool-calls.ts";

type Sender = Pick<CallContext, "caller" | "requestId">;

export function authInfoOf({ caller, requestId }: Sender): AuthInfo {
  return { token: "", clientId: caller.name, scopes: [caller.scope], extra: { request_id: requestId } };
}

/** `owner`: who asks where there are no requests, as over standard input; `requestId`: of such a message. */
export function senderOf(auth: AuthInfo | undefined, owner: Caller | undefined, requestId: string): Sender {
  if (!auth) {
    if (owner) return { caller: owner, requestId };
    throw new Defect("gateway.no_caller", "A tool is called for somebody whom nobody has asked who it is.");
  }
  const caller: Caller = { name: auth.clientId, scope: scopeOf(auth) };
  const id = auth.extra?.request_id;
  return { caller, requestId: typeof id === "string" ? id : requestId };
}

function scopeOf({ scopes: given }: AuthInfo): Scope {
  return scopes.find((scope) => given.includes(scope)) ?? "read";
}
