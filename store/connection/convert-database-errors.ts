/**
 * Converts errors of the database to Cairn's errors. SurrealDB has error classes for query errors, but only
 * messages for disk errors. Both are interpreted only in this file.
 */
import {
  CallTerminatedError,
  ConnectionUnavailableError,
  HttpConnectionError,
  isRetryableConflict,
  NotAllowedError,
  ReconnectExhaustionError,
  ThrownError,
  UnexpectedConnectionError,
  UnsupportedEngineError,
  UnsupportedVersionError,
} from "surrealdb";
import { CairnError, Defect, Fenced, Refused, Unavailable } from "../../machines/errors.ts";

/**
 * Message of the error that a commit throws inside the database if another owner has raised the shard's
 * fence.
 */
export const FENCED = "cairn:fenced";

/** Returns the messages of an error and of all its causes as one text. */
function messages(thrown: unknown): string {
  const all: string[] = [];
  for (let error = thrown; error !== undefined && error !== null; ) {
    all.push(error instanceof Error ? error.message : String(error));
    error = error instanceof Error ? error.cause : undefined;
  }
  return all.join(": ");
}

/**
 * Whether the transaction failed because another transaction wrote the same records first. A retry may then
 * succeed.
 */
export function isConflict(thrown: unknown): boolean {
  return isRetryableConflict(thrown) || /can be retried|transaction conflict/i.test(messages(thrown));
}

/** Converts any database error to a `CairnError`. `place` is the URL or folder that the message names. */
export function storeFailure(thrown: unknown, place = "the database"): CairnError {
  if (thrown instanceof CairnError) return thrown;
  const text = messages(thrown);
  const cause = { cause: thrown };
  if (thrown instanceof ThrownError && text.includes(FENCED)) {
    return new Fenced("store.fenced", "Another node owns these actors now; ask again.", cause);
  }
  if (/already locked|lock hold|LOCK:/i.test(text)) {
    return new Unavailable(
      "store.locked",
      `Another process uses ${place}. Stop the other Cairn, or give this one its own folder with CAIRN_DATA.`,
      cause,
    );
  }
  if (/no space left|os error 28|disk quota|os error 122|disk full/i.test(text)) {
    return new Unavailable(
      "store.disk_full",
      `No space is left for ${place}. Free some; nothing that was acknowledged is lost.`,
      cause,
    );
  }
  if (/permission denied|os error 13|read-only file system|os error 30/i.test(text)) {
    return new Unavailable(
      "store.no_permission",
      `This user may not write ${place}. Change the folder's owner or rights, or set CAIRN_DATA to another one.`,
      cause,
    );
  }
  if (thrown instanceof NotAllowedError || /authentication|credentials/i.test(text)) {
    return new Unavailable(
      "store.no_permission",
      `${place} refused the user name or password, or the user may not do this. Check SURREAL_USER and SURREAL_PASS.`,
      cause,
    );
  }
  if (thrown instanceof UnsupportedVersionError || thrown instanceof UnsupportedEngineError) {
    return new Refused("store.unsupported", `${place} cannot be used: ${text}.`, cause);
  }
  if (isConflict(thrown)) {
    return new Unavailable("store.conflict", "Others kept writing the same records; try again.", cause);
  }
  if (
    thrown instanceof ConnectionUnavailableError ||
    thrown instanceof CallTerminatedError ||
    thrown instanceof HttpConnectionError ||
    thrown instanceof ReconnectExhaustionError ||
    thrown instanceof UnexpectedConnectionError ||
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|Unable to connect|os error \d+/i.test(text)
  ) {
    return new Unavailable("store.unavailable", `${place} cannot be reached: ${text}.`, cause);
  }
  return new Defect("store.query_failed", `The database refused a statement: ${text}`, cause);
}
