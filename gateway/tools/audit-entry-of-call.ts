/**
 * Determines what the audit log records about a call: the object that the call changes, the object's kind,
 * and the outcome. It records names and never values, because values may be secret.
 */
import type { AuditNote } from "../../machines/audit/audit-entry-schemas.ts";
import { isRecord } from "../../machines/is-plain-object.ts";
import type { Tool } from "./define-tool.ts";

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? { ...value } : {};
}

/** Maximum length of a name in the audit log, in characters. */
const MAX_LENGTH = 300;

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_LENGTH) : undefined;
}

/** Names of arguments that contain the name of a call's object, each with the kind of this object. */
const SUBJECTS: readonly (readonly [field: string, kind: string])[] = [
  ["room_name", "session"],
  ["session_id", "session"],
  ["job_id", "exploration"],
  ["recording_id", "recording"],
  ["knowledge_id", "knowledge"],
];

/**
 * Returns the object of a call as `kind/name`. If the arguments do not contain it, the name is taken from the
 * result, such as the id of a started job.
 */
export function subjectOf(tool: Pick<Tool, "subject">, args: unknown, result: unknown): string | null {
  const subject = tool.subject(fieldsOf(args));
  if (subject !== undefined) return subject.slice(0, MAX_LENGTH);
  for (const fields of [fieldsOf(args), fieldsOf(result)]) {
    for (const [field, kind] of SUBJECTS) {
      const name = text(fields[field]);
      if (name !== undefined) return `${kind}/${name}`;
    }
  }
  return null;
}

/** Returns the origin of an address. Path and query are left out, because they may contain secrets. */
function siteOf(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  return origin === "null" ? protocol.slice(0, MAX_LENGTH) : origin.slice(0, MAX_LENGTH);
}

export function detailOf(args: unknown): string | null {
  const { action_type, params, initial_url, start_url } = fieldsOf(args);
  const kind = typeof action_type === "string" && /^[\w-]{1,60}$/.test(action_type) ? action_type : undefined;
  const site = siteOf(fieldsOf(params).url ?? initial_url ?? start_url);
  const parts = [kind, site].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join(" ");
}

/**
 * Returns the outcome of a call that has returned a result. By the protocol specification, a result with
 * `success: false` or `status: "error"` reports a failure.
 */
export function outcomeOf(answer: unknown): Pick<AuditNote, "outcome" | "code"> {
  const { success, status, data, code } = fieldsOf(answer);
  if (success !== false && status !== "error") return { outcome: "done", code: null };
  return { outcome: "failed", code: text(fieldsOf(data).code) ?? text(code) ?? null };
}
