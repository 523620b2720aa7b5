/**
 * The audit log. Its route is for who runs Cairn; agents are offered no such tool.
 */
import { auditPageSchema, listAuditSchema } from "../../machines/audit/protocol.ts";
import { defineTool } from "./registry.ts";

export const listAudit = defineTool({
  name: "list_audit",
  scope: "admin",
  description: "Who had what done, on what, and what came of it: the newest first, kept for 90 days",
  input: listAuditSchema,
  output: auditPageSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handle: (cairn, request) => cairn.audit.list(request),
});
