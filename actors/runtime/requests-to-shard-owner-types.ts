/** The requests that the owner of a shard answers: queries and operations on one actor. */

export interface QueryRequest {
  readonly to: string;
  readonly query: string;
  readonly params: unknown;
}

/** Returns the subject on which the owner of a shard answers. */
export const querySubject = (shard: number) => `cairn.query.${shard}`;

export type Operation =
  | { readonly type: "inspect" }
  | { readonly type: "unpark" }
  | { readonly type: "replay"; readonly letter: string }
  | { readonly type: "cancel"; readonly command: string };

/**
 * A request for an operation on one actor, such as putting it back in service. The owner of the actor's shard
 * receives it on the subject of queries.
 */
export interface OperationRequest {
  readonly to: string;
  readonly operation: Operation;
}
