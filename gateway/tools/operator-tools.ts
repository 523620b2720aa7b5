/**
 * Setting, listing and removing secrets. Their routes are for who runs Cairn; agents are offered no such tools.
 */
import { basename } from "node:path";
import { z } from "zod";
import { auditPageSchema, listAuditSchema } from "../../machines/audit/protocol.ts";
import {
  secretInfoSchema,
  secretListSchema,
  secretRefSchema,
  secretRemovedSchema,
  setSecretSchema,
} from "../../machines/session/secrets.ts";
import { defineTool } from "./define-tool.ts";

const steers = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

export const listSecrets = defineTool({
  name: "list_secrets",
  scope: "admin",
  description: "The names of secrets, and the hosts at which they may be used; never their values",
  sets: "operator",
  http: { method: "GET", path: "/api/secrets", operationId: "listSecrets", tag: "Sessions" },
  input: z.object({}).strict(),
  output: secretListSchema,
  annotations: { ...steers, readOnlyHint: true, destructiveHint: false },
  handle: async (cairn) => ({
    secrets: (await cairn.secrets.list()).map((one) => ({ ...one, hosts: [...one.hosts] })),
  }),
});

export const setSecret = defineTool({
  name: "set_secret",
  scope: "admin",
  description:
    "Set a secret, sealed in the data folder; bound to its hosts, else to that of the recipe that names it",
  sets: "operator",
  http: [
    { method: "PUT", path: "/api/secrets/:name", operationId: "setSecret", tag: "Sessions" },
    { method: "POST", path: "/api/secrets", operationId: "addSecret", tag: "Sessions" },
  ],
  input: setSecretSchema,
  output: secretInfoSchema,
  annotations: steers,
  async handle(cairn, { name, value, host, hosts = [] }) {
    const told = await cairn.secrets.set(name, value, [...(host === undefined ? [] : [host]), ...hosts]);
    return { ...told, hosts: [...told.hosts] };
  },
});

export const removeSecret = defineTool({
  name: "remove_secret",
  scope: "admin",
  description: "Remove a secret that was set",
  sets: "operator",
  http: {
    method: "DELETE",
    path: "/api/secrets/:name",
    operationId: "removeSecret",
    tag: "Sessions",
    errors: [404, 422],
  },
  input: secretRefSchema,
  output: secretRemovedSchema,
  annotations: steers,
  async handle(cairn, { name }) {
    await cairn.secrets.remove(name);
    return { name: name.toUpperCase(), status: "removed" as const };
  },
});

export const listAudit = defineTool({
  name: "list_audit",
  scope: "admin",
  description: "Who had what done, on what, and what came of it: the newest first, kept for 90 days",
  sets: "operator",
  http: {
    method: "GET",
    path: "/api/audit",
    operationId: "listAudit",
    tag: "Operations",
    errors: [422],
    query: ["caller", "act", "subject", "outcome", "limit", "cursor"],
  },
  input: listAuditSchema,
  output: auditPageSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handle: (cairn, request) => cairn.audit.list(request),
});

const backupSchema = z.object({
  file: z.string().describe("Name in the folder `backups` of the data folder"),
  records: z.number().int(),
});

export const createBackup = defineTool({
  name: "create_backup",
  scope: "admin",
  description: "Write a backup of everything into the data folder",
  sets: "operator",
  http: { method: "POST", path: "/api/backups", operationId: "createBackup", tag: "Service", errors: [400] },
  input: z.object({}).strict(),
  output: backupSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async handle(cairn) {
    const { file, records } = await cairn.backup();
    return { file: basename(file), records };
  },
});

export const operatorTools = [listSecrets, setSecret, removeSecret, listAudit, createBackup];
