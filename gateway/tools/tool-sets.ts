/**
 * The sets of tools from which `CAIRN_TOOLS` chooses. A tool's definition names the sets to which it belongs.
 */

/** `all` lists every tool with its complete schemas. */
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
 * `always`: a tool of the protocol specification, which is in every list. `operator`: a tool with a REST
 * route that agents can neither list nor call.
 */
export type ToolSetMembership = "always" | "operator" | readonly Exclude<ToolSet, "all">[];
