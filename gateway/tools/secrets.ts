/**
 * Setting, listing and removing secrets. Their routes are for who runs Cairn; agents are offered no such tools.
 */
import { z } from "zod";
import {
  secretInfoSchema,
  secretListSchema,
  secretRefSchema,
  secretRemovedSchema,
  setSecretSchema,
} from "../../machines/session/secrets.ts";
import { defineTool } from "./registry.ts";

const steers = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

export const listSecrets = defineTool({
  name: "list_secrets",
  scope: "admin",
  description: "The names of secrets, and the hosts at which they may be used; never their values",
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
  input: secretRefSchema,
  output: secretRemovedSchema,
  annotations: steers,
  async handle(cairn, { name }) {
    await cairn.secrets.remove(name);
    return { name: name.toUpperCase(), status: "removed" as const };
  },
});
