/**
 * The roles of a node: `gateway` receives requests, `browser` runs actors that render pages, and `compute`
 * runs all other actors.
 */
export const roles = ["gateway", "browser", "compute"] as const;
export type Role = (typeof roles)[number];
