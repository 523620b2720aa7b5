/** Schemas of the files that a session has downloaded or created. */
import { z } from "zod";
import { roomRef } from "../session-name-in-request.ts";

export const downloadSchema = z.object({
  id: z.string(),
  name: z.string(),
  suggested_name: z.string(),
  url: z.string().describe("Where it came from"),
  kind: z.enum(["download", "pdf"]),
  state: z.enum(["in_progress", "completed", "canceled", "refused"]),
  bytes: z.number(),
  mime_type: z.string(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export const listDownloadsSchema = roomRef({});
export const downloadListSchema = z.object({
  downloads: z.array(downloadSchema.extend({ path: z.string().describe("GET it here") })),
});
export type DownloadList = z.infer<typeof downloadListSchema>;

export const downloadRefSchema = roomRef({ id: z.string().min(1).max(100) });
export const downloadRemovedSchema = z.object({ id: z.string(), status: z.literal("removed") });
