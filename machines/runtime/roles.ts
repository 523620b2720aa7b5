/**
 * What a node can be there for: to take requests, to host what renders pages, to host the rest.
 *
 * Neighbours: `../limits/runtime.ts` says which shards need which role, `actors/runtime/placement.ts` places them.
 */
export const roles = ["gateway", "browser", "compute"] as const;
export type Role = (typeof roles)[number];
