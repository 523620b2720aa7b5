/** The schema of an IndexedDB database in a storage state, as Playwright writes it. */
import { z } from "zod";

const path = { keyPath: z.string().optional(), keyPathArray: z.array(z.string()).optional() };
const recordSchema = z.object({
  key: z.unknown().optional(),
  keyEncoded: z.unknown().optional(),
  value: z.unknown().optional(),
  valueEncoded: z.unknown().optional(),
});

export const databaseSchema = z.object({
  name: z.string(),
  version: z.number().int().positive(),
  stores: z.array(
    z.object({
      name: z.string(),
      ...path,
      autoIncrement: z.boolean().default(false),
      indexes: z
        .array(z.object({ name: z.string(), ...path, multiEntry: z.boolean(), unique: z.boolean() }))
        .default([]),
      records: z.array(recordSchema).default([]),
    }),
  ),
});
export type TransferredDatabase = z.output<typeof databaseSchema>;
