/**
 * What the audit log says of a call: on what it was, and which kind of act. Names only, never a value that may be secret.
 *
 * Neighbour: `calls.ts` notes each act.
 */
import type { AuditNote } from "../../machines/audit/protocol.ts";

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Longer ones are no names. */
const LONGEST = 300;

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, LONGEST) : undefined;
}

/** Fields that name what a call is about, and of which kind that is. */
const SUBJECTS: readonly (readonly [field: string, kind: string])[] = [
  ["room_name", "session"],
  ["session_id", "session"],
  ["job_id", "exploration"],
  ["recording_id", "recording"],
  ["knowledge_id", "knowledge"],
];

/** Of tools whose subject is not named by one of these. */
const OF_TOOLS: Readonly<Record<string, (args: Fields) => string | undefined>> = {
  set_secret: ({ name }) => text(name) && `secret/${text(name)?.toUpperCase()}`,
  remove_secret: ({ name }) => text(name) && `secret/${text(name)?.toUpperCase()}`,
  unpark_actor: ({ kind, id }) => (text(kind) && text(id) ? `${text(kind)}/${text(id)}` : undefined),
  replay_dead_letter: ({ id }) => text(id) && `dead_letter/${text(id)}`,
  discard_dead_letter: ({ id }) => text(id) && `dead_letter/${text(id)}`,
};

/** `answer`: where the arguments name nothing, it may: the id of a job that was started. */
export function subjectOf(tool: string, args: unknown, answer: unknown): string | null {
  const own = OF_TOOLS[tool]?.(fieldsOf(args));
  if (own !== undefined) return own;
  for (const fields of [fieldsOf(args), fieldsOf(answer)]) {
    for (const [field, kind] of SUBJECTS) {
      const name = text(fields[field]);
      if (name !== undefined) return `${kind}/${name}`;
    }
  }
  return null;
}

/** Of an address nothing but the site: the rest may hold what is secret. */
function siteOf(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  return origin === "null" ? protocol.slice(0, LONGEST) : origin.slice(0, LONGEST);
}

export function detailOf(args: unknown): string | null {
  const { action_type, params, initial_url, start_url } = fieldsOf(args);
  const kind = typeof action_type === "string" && /^[\w-]{1,60}$/.test(action_type) ? action_type : undefined;
  const site = siteOf(fieldsOf(params).url ?? initial_url ?? start_url);
  const parts = [kind, site].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join(" ");
}

/** What an answer says of itself, in the seeds' two ways. */
export function outcomeOf(answer: unknown): Pick<AuditNote, "outcome" | "code"> {
  const { success, status, data, code } = fieldsOf(answer);
  if (success !== false && status !== "error") return { outcome: "done", code: null };
  return { outcome: "failed", code: text(fieldsOf(data).code) ?? text(code) ?? null };
}
