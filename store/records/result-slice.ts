/** A part (slice) of a longer result, and the cursor of the next part. */
import { Refused } from "../../machines/errors.ts";

export interface Slice<T> {
  readonly items: readonly T[];
  /** Cursor of the next slice; `null` at the end of the result. */
  readonly cursor: string | null;
}

export interface SliceRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Creates a cursor: the position after which the next slice starts, in a form that callers do not interpret.
 */
export function cursorAfter(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Returns the position that a cursor contains. Throws `store.bad_cursor` if the cursor is invalid. */
export function placeOf(cursor: string, length: number): (string | number)[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (
      Array.isArray(place) &&
      place.length === length &&
      place.every((part) => typeof part === "string" || typeof part === "number")
    ) {
      return place;
    }
  } catch {
    // The cursor is not JSON, so it is invalid. The error after this block is thrown.
  }
  throw new Refused(
    "store.bad_cursor",
    "This cursor was not given by an earlier answer; leave it out to begin again.",
    {
      status: 422,
    },
  );
}
