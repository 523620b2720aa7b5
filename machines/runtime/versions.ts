/**
 * The version of each kind's machine, stored with every snapshot. Raise it with a change that makes older
 * snapshots unreadable; the kind's `migrate` converts them.
 * Nodes exchange their versions, so that none gets a shard with actors it cannot read.
 */
export const versions = { exploration: 1, knowledge: 1, host: 1, janitor: 1, session: 2 } as const;
