/**
 * Runs all calls of tools, from every interface: it checks scope and arguments, runs the call, and records it
 * in the audit log.
 */
import type { AuditAct, AuditNote } from "../../machines/audit/audit-entry-schemas.ts";
import { asCairnError, type CairnError } from "../../machines/errors.ts";
import type { Log } from "../log.ts";
import type { StartingSystem } from "../running-system-for-waiting-requests.ts";
import { assertScope, type Caller } from "../security/api-key-scopes.ts";
import { detailOf, outcomeOf, subjectOf } from "./audit-entry-of-call.ts";
import type { Call, CheckedArguments, Tool } from "./define-tool.ts";
import { IdempotentCalls } from "./idempotent-tool-calls.ts";

/** The caller of a tool, and the request that contains the call. */
export interface CallContext extends Call {
  readonly caller: Caller;
  readonly requestId: string;
  /** The `Idempotency-Key` of the request. */
  readonly key?: string | undefined;
  /** Called when the result comes from an earlier request with the same key. */
  readonly repeated?: (() => void) | undefined;
}

type Origin = Pick<CallContext, "caller" | "requestId">;

type Outcome = Pick<AuditNote, "outcome" | "code">;

function auditEntry(
  { caller, requestId }: Origin,
  action: string,
  detail: string | null,
  subject: string | null,
): AuditAct {
  return { at: Date.now(), caller: caller.name, act: action, detail, subject, request_id: requestId };
}

/**
 * Returns the outcome of a failed call for the audit log. Errors of the caller (status below 500) count as
 * `refused`.
 */
function failureOf({ status, code }: CairnError): Outcome {
  return { outcome: status < 500 ? "refused" : "failed", code };
}

/**
 * The result of checking a call before it runs: the parsed arguments, or the error with which it is refused.
 */
type Checked = { readonly args: CheckedArguments } | { readonly refusal: unknown };

function check(tool: Tool, args: unknown, caller: Caller): Checked {
  try {
    assertScope(caller, tool.scope, `The tool ${tool.name}`);
    const checked = tool.check(args);
    assertScope(caller, tool.scopeOf(checked), `The tool ${tool.name} with these arguments`);
    return { args: checked };
  } catch (refusal) {
    return { refusal };
  }
}

export class ToolCalls {
  readonly #system: StartingSystem;
  readonly #log: Log;
  readonly #idempotent = new IdempotentCalls();

  constructor(system: StartingSystem, log: Log) {
    this.#system = system;
    this.#log = log;
  }

  /**
   * Runs a call of a tool. Throws `security.scope` if the caller lacks the tool's scope. Also throws the
   * errors of the tool and of its check.
   */
  async run(tool: Tool, args: unknown, from: CallContext): Promise<unknown> {
    const checked = check(tool, args, from.caller);
    const { key, caller } = from;
    // The result of a refused call is not stored under its idempotency key. The caller can correct the call
    // and send it again with the same key.
    if (key === undefined || tool.annotations.readOnlyHint || "refusal" in checked)
      return await this.#audited(tool, args, checked, from);
    const cairn = await this.#system.available();
    const { answer, repeated } = await this.#idempotent.run(
      cairn,
      { caller, key, tool: tool.name, args },
      (commandId) => this.#audited(tool, args, checked, { ...from, commandId }),
    );
    if (repeated) from.repeated?.();
    return answer;
  }

  /**
   * Runs the call. A call that needs more than the scope `read` is recorded in the audit log, even if it is
   * refused.
   */
  async #audited(tool: Tool, args: unknown, checked: Checked, from: CallContext): Promise<unknown> {
    const scope = "args" in checked ? tool.scopeOf(checked.args) : tool.scope;
    if (scope === "read") return await this.#run(tool, checked, from);
    const startedAt = performance.now();
    const entry = auditEntry(from, tool.name, detailOf(args), subjectOf(tool, args, undefined));
    const complete = this.#system.current?.audit.begin(entry);
    const end = (subject: string | null, outcome: Outcome): void =>
      this.#note(
        { ...entry, at: Date.now(), subject, ms: Math.round(performance.now() - startedAt), ...outcome },
        complete,
      );
    try {
      const result = await this.#run(tool, checked, from);
      end(entry.subject ?? subjectOf(tool, args, result), outcomeOf(result));
      return result;
    } catch (thrown) {
      end(entry.subject, failureOf(asCairnError(thrown)));
      throw thrown;
    }
  }

  /** Records a request that was refused before any tool was called. */
  refused(route: string, thrown: unknown, from: Origin): void {
    this.#note({ ...auditEntry(from, route, null, null), ms: 0, ...failureOf(asCairnError(thrown)) });
  }

  async #run(tool: Tool, checked: Checked, from: CallContext): Promise<unknown> {
    if ("refusal" in checked) throw checked.refusal;
    return await tool.run(await this.#system.available(), checked.args, from);
  }

  /**
   * Completes an audit entry with the outcome. `complete` is the function that `begin` returned for this
   * entry.
   */
  #note(note: AuditNote, complete?: (note: AuditNote) => void): void {
    const { at: _, ...fields } = note;
    this.#log.info("act", fields);
    if (complete) complete(note);
    else this.#system.current?.audit.note(note);
  }
}
