/**
 * Sets of tools that `CAIRN_TOOLS` chooses from. A tool's definition says which sets it belongs to.
 */

/** `all` lists every tool with its whole schemas. */
export const toolSetNames = [
  "core",
  "sessions",
  "knowledge",
  "documents",
  "dialogue",
  "navigation",
  "operations",
  "all",
] as const;
export type ToolSet = (typeof toolSetNames)[number];

/**
 * `always`: the tools of the protocol specification, in every list. `operator`: tools with a REST route that
 * no agent can list or call.
 */
export type ToolSetMembership = "always" | "operator" | readonly Exclude<ToolSet, "all">[];
