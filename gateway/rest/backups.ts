/**
 * A backup of the running store: what `cairn backup` asks for when a gateway holds the database.
 *
 * It is written into the data folder only; the caller is told its name there, never a path.
 */
import { Elysia } from "elysia";
import { createBackup } from "../tools/backups.ts";
import { answer, repeatable, type Surface, toolOperation } from "./operation.ts";

export function backupRoutes(surface: Surface, dataDir: string) {
  const tool = createBackup(dataDir);
  return new Elysia({ name: "backups" }).post(
    "/api/backups",
    ({ request }) => answer(surface, request, tool, {}),
    { parse: "none", ...repeatable, ...toolOperation(tool, "createBackup", "Service", [400]) },
  );
}
