/**
 * The sets of tools from which `CAIRN_TOOLS` chooses. A tool's definition names the sets to which it belongs.
 */

/** Names of the tool sets. The set `all` contains every tool, with complete schemas. */
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
 * The sets in whose lists a tool appears. `always`: in every list, because the protocol specification defines
 * the tool. `operator`: in none, because the tool has only a REST route, so agents cannot call it.
 */
export type ToolSetMembership = "always" | "operator" | readonly Exclude<ToolSet, "all">[];
