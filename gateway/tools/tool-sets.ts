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
 * The sets of tools to which a tool belongs. `always`: it belongs to every set, because the protocol
 * specification defines the tool. `operator`: it belongs to no set, because it has only a REST route and agents
 * cannot call it.
 */
export type ToolSetMembership = "always" | "operator" | readonly Exclude<ToolSet, "all">[];
