/**
 * Messages that no actor here can take, kept as dead letters so that they are in nobody's way: of a kind that this
 * Cairn does not have, or no message at all. Neighbours: `shard-host.ts` finds them, `message.ts` reads what comes.
 */
import { type CairnError, Fenced, Refused } from "../../../machines/errors.ts";
import { formatAddress } from "../address.ts";
import type { Clock } from "../clock.ts";
import type { Committer } from "../core/committer.ts";
import { deadLetter } from "../core/step-batch.ts";
import { onceThereIsAStore } from "../core/store-backoff.ts";
import { isUnreadable, type Message } from "../message.ts";
import type { Log } from "./shard-host.ts";

/** The shard in whose queue such a message was found, and who found it. */
export interface Finder {
  readonly shard: number;
  readonly fence: number;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly log: Log;
  /** Why the shard is somebody else's by now; the message is, too, then. */
  readonly gone: () => Error | undefined;
}

export function unknownKind(kind: string): Refused {
  return new Refused("actor.unknown_kind", `This Cairn has no kind of actor called ${kind}.`, {
    status: 404,
  });
}

/** Resolves with what its sender is told once it is kept; `undefined` when the shard was lost before. */
export async function keepUnhandled(
  message: Message,
  { shard, fence, committer, clock, log, gone }: Finder,
): Promise<CairnError | undefined> {
  const error = isUnreadable(message)
    ? new Refused("actor.unreadable_message", "What came over the bus is no message of Cairn.")
    : unknownKind(message.to.kind);
  const { letter } = deadLetter(message.to, { kind: "command", message }, error, 1, clock.now());
  const said = { actor: formatAddress(message.to), dead_letter: letter.id };
  try {
    await onceThereIsAStore(() => committer.commit({ shard, fence, writes: [], deadLetters: [letter] }), {
      clock,
      gone,
      away: ({ code }) =>
        log("warn", "store unavailable, a dead letter will be kept later", { ...said, code }),
    });
    log("error", "message that nobody can take", { ...said, code: error.code, error: error.message });
  } catch (failed) {
    if (gone() || failed instanceof Fenced) return undefined;
    log("error", "dead letter could not be kept", { ...letter, reason: String(failed) });
  }
  return error;
}
