/**
 * Sets of tools that `CAIRN_TOOLS` chooses from. A tool's definition says which sets it belongs to.
 */

/** `all` lists every tool, with its whole schemas. */
export const toolSetNames = ["core", "sessions", "knowledge", "operations", "all"] as const;
export type ToolSet = (typeof toolSetNames)[number];

/**
 * `always`: the tools of the protocol specification, listed whatever is chosen. `operator`: for who runs Cairn; it has a
 * REST route, and no agent can list or call it.
 */
export type ToolSetMembership = "always" | "operator" | readonly Exclude<ToolSet, "all">[];
