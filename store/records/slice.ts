/** Some rows of a longer answer, and where the rest begins. Used by every reader that pages. */
import { Refused } from "../../machines/errors.ts";

export interface Slice<T> {
  readonly items: readonly T[];
  /** Asks for the rest; `null` when this was the end. */
  readonly cursor: string | null;
}

export interface SliceRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The place after which a slice begins. Readers decide what it holds; callers hand it back as it is. */
export function cursorAfter(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** What `cursorAfter` was given, or `store.bad_cursor`. */
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
    // Told below: a cursor that is no JSON and one of another shape are the same mistake.
  }
  throw new Refused(
    "store.bad_cursor",
    "This cursor was not given by an earlier answer; leave it out to begin again.",
    {
      status: 422,
    },
  );
}
