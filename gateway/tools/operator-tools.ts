/**
 * Tools for the operator: secrets, the audit log, backups. They have only REST routes, so agents can neither
 * list nor call them.
 */

import { basename } from "node:path";
import { z } from "zod";
import { auditPageSchema, listAuditSchema } from "../../machines/audit/audit-entry-schemas.ts";
import {
  secretInfoSchema,
  secretListSchema,
  secretRefSchema,
  secretRemovedSchema,
  setSecretSchema,
} from "../../machines/session/state/secret-schemas.ts";
import { type AuditSubject, defineTool } from "./define-tool.ts";
import { readsData } from "./tool-annotations.ts";

const secretSubject: AuditSubject = ({ name }) =>
  typeof name === "string" && name !== "" ? `secret/${name.toUpperCase()}` : undefined;

const changesSecrets = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

const listSecrets = defineTool({
  name: "list_secrets",
  scope: "admin",
  description: "List secrets by name, with the hosts at which they may be used; never their values",
  sets: "operator",
  http: { method: "GET", path: "/api/secrets", operationId: "listSecrets", tag: "Sessions" },
  input: z.object({}).strict(),
  output: secretListSchema,
  annotations: { ...changesSecrets, readOnlyHint: true, destructiveHint: false },
  handle: async (cairn) => ({
    secrets: (await cairn.secrets.list()).map((secret) => ({ ...secret, hosts: [...secret.hosts] })),
  }),
});

const setSecret = defineTool({
  name: "set_secret",
  scope: "admin",
  description:
    "Set a secret, encrypted in the data folder; it may be used at its hosts only, else at the host of the login recipe that names it",
  sets: "operator",
  http: [
    { method: "PUT", path: "/api/secrets/:name", operationId: "setSecret", tag: "Sessions" },
    { method: "POST", path: "/api/secrets", operationId: "addSecret", tag: "Sessions" },
  ],
  input: setSecretSchema,
  output: secretInfoSchema,
  annotations: changesSecrets,
  subject: secretSubject,
  async handle(cairn, { name, value, host, hosts = [] }) {
    const secret = await cairn.secrets.set(name, value, [...(host === undefined ? [] : [host]), ...hosts]);
    return { ...secret, hosts: [...secret.hosts] };
  },
});

const removeSecret = defineTool({
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
  annotations: changesSecrets,
  subject: secretSubject,
  async handle(cairn, { name }) {
    await cairn.secrets.remove(name);
    return { name: name.toUpperCase(), status: "removed" as const };
  },
});

const listAudit = defineTool({
  name: "list_audit",
  scope: "admin",
  description:
    "The audit log: who called which tool, on what, with which outcome; newest first, kept for 90 days",
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
  annotations: readsData,
  handle: (cairn, request) => cairn.audit.list(request),
});

const backupSchema = z.object({
  file: z.string().describe("Name in the folder `backups` of the data folder"),
  records: z.number().int(),
});

const createBackup = defineTool({
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
