/**
 * Stores messages that no actor can handle as dead letters: messages for an unknown kind, and unreadable
 * ones. Otherwise they would block their queue.
 */
import { type CairnError, Fenced, Refused } from "../../../machines/errors.ts";
import { formatAddress } from "../actor-address.ts";
import { isUnreadable, type Message } from "../actor-messages.ts";
import { deadLetter } from "../core/actor-message-batch.ts";
import type { Committer } from "../core/actor-step-committer.ts";
import { retryWhileStoreAway } from "../core/store-backoff.ts";
import type { Log } from "../log-function-of-runtime.ts";
import type { Clock } from "../runtime-clock.ts";

export interface UnhandledScope {
  /** The shard whose queue contained the message. */
  readonly shard: number;
  /** The number under which this process owns the shard. A newer owner has a higher number. */
  readonly fence: number;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Returns an error if this owner has lost the shard, and `undefined` otherwise. After a loss, the new owner
   * handles the message.
   */
  readonly gone: () => Error | undefined;
}

export function unknownKind(kind: string): Refused {
  return new Refused("actor.unknown_kind", `This Cairn has no kind of actor called ${kind}.`, {
    status: 404,
  });
}

/**
 * Stores a message as a dead letter. Resolves with the error for the sender, or with `undefined` when this
 * owner has lost the shard and the new owner handles the message.
 */
export async function storeUnhandled(
  message: Message,
  { shard, fence, committer, clock, log, gone }: UnhandledScope,
): Promise<CairnError | undefined> {
  const error = isUnreadable(message)
    ? new Refused("actor.unreadable_message", "The bus delivered something that is not a message of Cairn.")
    : unknownKind(message.to.kind);
  const { letter } = deadLetter(message.to, { kind: "command", message }, error, 1, clock.now());
  const fields = { actor: formatAddress(message.to), dead_letter: letter.id };
  try {
    await retryWhileStoreAway(() => committer.commit({ shard, fence, writes: [], deadLetters: [letter] }), {
      clock,
      reasonToStop: gone,
      onFirstFailure: ({ code }) =>
        log("warn", "store unavailable, a dead letter will be stored later", { ...fields, code }),
    });
    log("error", "message that no actor can take", { ...fields, code: error.code, error: error.message });
  } catch (failed) {
    if (gone() || failed instanceof Fenced) return undefined;
    log("error", "dead letter could not be stored", { ...letter, reason: String(failed) });
  }
  return error;
}
