/**
 * The version of each kind's machine, stored with every snapshot. Raised with each change after which a snapshot of the
 * one before cannot be read as it is; the kind's `migrate` reads those (`actors/<kind>.ts`).
 *
 * Nodes tell each other these, so that none gets a shard whose actors it may not be able to read.
 */
export const versions = { exploration: 1, knowledge: 1, host: 1, janitor: 1, session: 2 } as const;
