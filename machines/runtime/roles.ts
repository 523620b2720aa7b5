/**
 * The roles of a node: `gateway` takes requests, `browser` hosts actors that render pages, `compute` hosts
 * all others.
 */
export const roles = ["gateway", "browser", "compute"] as const;
export type Role = (typeof roles)[number];
