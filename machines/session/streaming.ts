/**
 * The region of a session's statechart that says whether its picture is shown: off, on or paused, whatever it does
 * otherwise. Pausing stops the picture only; acts go on, and a session at rest keeps what was chosen.
 *
 * It is on from the start. Who sends pictures holds the session while somebody receives them
 * (`BrowserSession.hold`), so that it is not put to rest under an open stream. Neighbour: `machine.ts` has the region.
 */
export const STREAMING = {
  initial: "off",
  states: {
    off: { on: { START: "on" } },
    on: {
      on: {
        PAUSE: {
          guard: "isPresent",
          target: "paused",
          actions: { type: "present", params: { paused: true } },
        },
        RESUME: { guard: "isPresent", actions: { type: "answerPresent", params: { paused: false } } },
        CLOSE: "off",
      },
    },
    paused: {
      on: {
        PAUSE: { guard: "isPresent", actions: { type: "answerPresent", params: { paused: true } } },
        RESUME: {
          guard: "isPresent",
          target: "on",
          actions: { type: "present", params: { paused: false } },
        },
        // Another session in a room whose last one failed.
        START: { guard: "hasFailed", target: "on" },
        CLOSE: "off",
      },
    },
  },
} as const;

/** A snapshot from before there was the region, with it. */
export function withStreaming(snapshot: {
  readonly value: unknown;
  readonly context: { readonly paused?: boolean };
}): object {
  const { value, context } = snapshot;
  const { paused, ...rest } = context;
  const streaming = value === "closed" ? "off" : paused ? "paused" : "on";
  return { ...snapshot, value: { session: value, streaming }, context: rest };
}
