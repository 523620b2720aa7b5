/**
 * Schemas of secrets. Only `setSecretSchema`, by which a secret is stored, contains a value. Answers contain names,
 * hosts and sources, but never values.
 */
import { z } from "zod";
import { secretLimits } from "../session-limits.ts";
import { secretNameSchema } from "./login-recipe.ts";
import { hostSchema } from "./session-start-options.ts";

export const secretInfoSchema = z.object({
  name: z.string(),
  hosts: z.array(z.string()).describe("Empty: the host of the recipe that names it"),
  source: z.enum(["environment", "stored"]),
});

export const secretListSchema = z.object({ secrets: z.array(secretInfoSchema) });

export const setSecretSchema = z
  .object({
    name: secretNameSchema,
    value: z.string().min(1).max(secretLimits.valueLength),
    host: hostSchema.optional().describe("The same as hosts with one"),
    hosts: z.array(hostSchema).max(secretLimits.hosts).optional(),
  })
  .strict();

export const secretRefSchema = z.object({ name: secretNameSchema }).strict();
export const secretRemovedSchema = z.object({ name: z.string(), status: z.literal("removed") });
