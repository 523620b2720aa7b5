/**
 * A backup of the running store: what `cairn backup` asks for when a gateway holds the database.
 *
 * It is written into the data folder only; the caller is told its name there, never a path.
 */
import { basename, join } from "node:path";
import { Elysia } from "elysia";
import { z } from "zod";
import { jsonSchema } from "../tools/registry.ts";
import { operation, type Surface } from "./operation.ts";

const backupSchema = z.object({
  file: z.string().describe("Name in the folder `backups` of the data folder"),
  records: z.number().int(),
});

export function backupFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

export function backupRoutes(surface: Surface, dataDir: string) {
  return new Elysia({ name: "backups" }).post(
    "/api/backups",
    async () => {
      const cairn = await surface.system.available();
      const { file, records } = await cairn.backup(backupFolder(dataDir));
      return Response.json({ file: basename(file), records });
    },
    {
      parse: "none",
      detail: operation({
        operationId: "createBackup",
        summary: "Write a backup of everything into the data folder",
        tag: "Service",
        answer: jsonSchema(backupSchema, "output"),
        errors: [401, 403, 500, 503],
      }),
    },
  );
}
