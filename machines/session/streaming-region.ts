/**
 * The region of a session's statechart for its video: off, on or paused. Pausing stops the picture only;
 * actions continue.
 * A publisher holds the session while a viewer is connected (`BrowserSession.hold`), so that it does not
 * hibernate.
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
        // A new session in a room whose last one failed.
        START: { guard: "hasFailed", target: "on" },
        CLOSE: "off",
      },
    },
  },
} as const;

/** Adds the region to a snapshot from before it existed. */
export function withStreaming(snapshot: {
  readonly value: unknown;
  readonly context: { readonly paused?: boolean };
}): object {
  const { value, context } = snapshot;
  const { paused, ...rest } = context;
  const streaming = value === "closed" ? "off" : paused ? "paused" : "on";
  return { ...snapshot, value: { session: value, streaming }, context: rest };
}
