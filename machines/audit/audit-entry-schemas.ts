/**
 * The audit log records who did what to which object, with the outcome. Arguments are never recorded, because
 * they may contain secrets.
 */
import { z } from "zod";
import { listLimits } from "../runtime/shared-runtime-limits.ts";

/** `interrupted`: the process ended while the action was running, so the outcome is unknown. */
export const outcomes = ["done", "failed", "refused", "interrupted"] as const;

const text = (what: string) => z.string().describe(what);

/** An audit entry at the start of an action, before the outcome is known. */
export interface AuditAct {
  /** Time at which the action started, in milliseconds since the epoch. */
  readonly at: number;
  /** The name of the caller's API key; `local` if the server requires no key. */
  readonly caller: string;
  /** The name of the called tool, or the route of the refused request. */
  readonly act: string;
  /** A short description of the action, such as `click` or `navigate https://shop.example.com`. */
  readonly detail: string | null;
  /** The object on which the action was done, such as `session/<room>`. `null` if the action has none. */
  readonly subject: string | null;
  readonly request_id: string;
}

/** A finished action, as the audit log stores it. `at` is the time at which the action ended. */
export interface AuditNote extends AuditAct {
  readonly outcome: (typeof outcomes)[number];
  /** The error code, if the action failed or was refused. */
  readonly code: string | null;
  /** Duration of the action in milliseconds. */
  readonly ms: number;
}

const entrySchema = z.object({
  at: text("ISO 8601, when it ended; when it began, of one that was interrupted"),
  caller: text("Name of the key; local where none is asked for"),
  act: text("The tool, or the route that was refused"),
  detail: z.string().nullable().describe("Which of its kinds, and at which site"),
  subject: z.string().nullable().describe("session/<room>, exploration/<job>, …"),
  outcome: z
    .enum(outcomes)
    .describe("interrupted: its process ended while it was under way, so nobody knows what came of it"),
  code: z.string().nullable().describe("Of a failure or a refusal"),
  request_id: text("The x-request-id of the request"),
  ms: z.number().describe("How long it took, in milliseconds"),
});

export const auditPageSchema = z.object({
  entries: z.array(entrySchema),
  next_cursor: z.string().nullable(),
});

export const listAuditSchema = z
  .object({
    caller: z.string().min(1).max(200).optional().describe("Only acts of this key"),
    act: z.string().min(1).max(200).optional().describe("Only this tool"),
    subject: z.string().min(1).max(400).optional().describe("Only acts on this, as session/<room>"),
    outcome: z.enum(outcomes).optional(),
    limit: z.coerce.number().int().min(1).max(listLimits.maxSize).default(listLimits.defaultSize),
    cursor: z.string().min(1).max(200).optional().describe("next_cursor of the answer before"),
  })
  .strict();

export type AuditPage = z.infer<typeof auditPageSchema>;
export type ListAudit = z.infer<typeof listAuditSchema>;
