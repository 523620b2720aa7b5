/**
 * `GET /api/audit`: who had what done.
 */
import { Elysia } from "elysia";
import { outcomes } from "../../machines/audit/protocol.ts";
import { listAudit } from "../tools/audit.ts";
import { answer, documented, type Surface, toolOperation } from "./operation.ts";

const query = documented({
  caller: { type: "string", description: "Only acts of this key" },
  act: { type: "string", description: "Only this tool" },
  subject: { type: "string", description: "Only acts on this, as session/<room>" },
  outcome: { type: "string", enum: [...outcomes] },
  limit: { type: "integer", minimum: 1, description: "Entries of this answer, at most" },
  cursor: { type: "string", description: "next_cursor of the answer before" },
});

export function auditRoutes(surface: Surface) {
  return new Elysia({ name: "audit" }).get(
    "/api/audit",
    ({ request, query: given }) => answer(surface, request, listAudit, given),
    { query, ...toolOperation(listAudit, "listAudit", "Operations", [422]) },
  );
}
