/** Hints that many tools share. A tool may replace single hints. */
import type { ToolAnnotations } from "./define-tool.ts";

/** The tool only reads data of Cairn. */
export const readsData: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The tool only reads a page in a browser session. */
export const readsPage: ToolAnnotations = { ...readsData, openWorldHint: true };

/** The tool changes data of Cairn but deletes nothing, and repeating the call changes nothing more. */
export const changesData: ToolAnnotations = { ...readsData, readOnlyHint: false };

/** The tool changes a page in a browser session, or the data behind it. */
export const changesPage: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
