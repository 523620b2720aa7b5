/**
 * Every call of a tool, from whichever surface: may its caller, are its arguments right, then it is run, and noted when
 * it is an act.
 *
 * Neighbours: `registry.ts` has the tools; REST (`../rest/operation.ts`), the plain calls (`../rest/tools.ts`) and MCP
 * (`../mcp/cairn-server.ts`) call through here and nowhere else.
 */
import type { AuditAct, AuditNote } from "../../machines/audit/protocol.ts";
import { asCairnError, type CairnError } from "../../machines/errors.ts";
import type { Log } from "../log.ts";
import { assertScope, type Caller, covers } from "../security/scope.ts";
import type { SystemSlot } from "../system-slot.ts";
import { detailOf, outcomeOf, subjectOf } from "./act-note.ts";
import type { Call, Tool } from "./registry.ts";
import { Repeats } from "./repeats.ts";

/** Who calls, and by which request. */
export interface CallFrom extends Call {
  readonly caller: Caller;
  readonly requestId: string;
  /** Its Idempotency-Key. */
  readonly key?: string | undefined;
  /** Told when what is answered is the answer of a request before. */
  readonly repeated?: (() => void) | undefined;
}

type Asked = Pick<CallFrom, "caller" | "requestId">;

type Came = Pick<AuditNote, "outcome" | "code">;

function actOf(
  { caller, requestId }: Asked,
  act: string,
  detail: string | null,
  subject: string | null,
): AuditAct {
  return { at: Date.now(), caller: caller.name, act, detail, subject, request_id: requestId };
}

/** Of an error: whether it was tried at all. */
function failureOf({ status, code }: CairnError): Came {
  return { outcome: status < 500 ? "refused" : "failed", code };
}

export class Calls {
  readonly #system: SystemSlot;
  readonly #log: Log;
  readonly #repeats = new Repeats();

  constructor(system: SystemSlot, log: Log) {
    this.#system = system;
    this.#log = log;
  }

  /** Throws `security.scope`, what `tool.check` throws, and what the tool does. */
  async run(tool: Tool, args: unknown, from: CallFrom): Promise<unknown> {
    const { key, caller } = from;
    const known = key !== undefined && !tool.annotations.readOnlyHint && this.#wouldRun(tool, args, from);
    if (!known) return await this.#act(tool, args, from);
    const cairn = await this.#system.available();
    const { answer, repeated } = await this.#repeats.run(
      cairn,
      { caller, key, tool: tool.name, args },
      (commandId) => this.#act(tool, args, { ...from, commandId }),
    );
    if (repeated) from.repeated?.();
    return answer;
  }

  /** Only what would be done is worth remembering. */
  #wouldRun(tool: Tool, args: unknown, { caller }: CallFrom): boolean {
    if (!covers(caller.scope, tool.scope)) return false;
    try {
      tool.check(args);
      return true;
    } catch {
      return false; // the call itself says what is wrong
    }
  }

  async #act(tool: Tool, args: unknown, from: CallFrom): Promise<unknown> {
    if (tool.scope === "read") return await this.#run(tool, args, from);
    const began = performance.now();
    const act = actOf(from, tool.name, detailOf(args), subjectOf(tool.name, args, undefined));
    const put = this.#system.current?.audit.begin(act);
    const end = (subject: string | null, came: Came): void =>
      this.#note(
        { ...act, at: Date.now(), subject, ms: Math.round(performance.now() - began), ...came },
        put,
      );
    try {
      const answer = await this.#run(tool, args, from);
      end(act.subject ?? subjectOf(tool.name, args, answer), outcomeOf(answer));
      return answer;
    } catch (thrown) {
      end(act.subject, failureOf(asCairnError(thrown)));
      throw thrown;
    }
  }

  /** A request was refused before any tool was called. */
  refused(route: string, thrown: unknown, from: Asked): void {
    this.#note({ ...actOf(from, route, null, null), ms: 0, ...failureOf(asCairnError(thrown)) });
  }

  async #run(tool: Tool, args: unknown, from: CallFrom): Promise<unknown> {
    assertScope(from.caller, tool.scope, `The tool ${tool.name}`);
    tool.check(args);
    return await tool.run(await this.#system.available(), args, from);
  }

  /** `put`: where its beginning was noted. */
  #note(note: AuditNote, put?: (note: AuditNote) => void): void {
    const { at: _, ...told } = note;
    this.#log.info("act", told);
    if (put) put(note);
    else this.#system.current?.audit.note(note);
  }
}
