/**
 * Writing a backup into the data folder. Its route is for who runs Cairn; agents are offered no such tool.
 */
import { basename, join } from "node:path";
import { z } from "zod";
import { defineTool } from "./registry.ts";

const backupSchema = z.object({
  file: z.string().describe("Name in the folder `backups` of the data folder"),
  records: z.number().int(),
});

export function backupFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

export function createBackup(dataDir: string) {
  return defineTool({
    name: "create_backup",
    scope: "admin",
    description: "Write a backup of everything into the data folder",
    input: z.object({}).strict(),
    output: backupSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async handle(cairn) {
      const { file, records } = await cairn.backup(backupFolder(dataDir));
      return { file: basename(file), records };
    },
  });
}
