/**
 * The states of a session's video in the session's state machine: off, on or paused. Pausing stops only the
 * picture. A session does not hibernate while a viewer is connected (`BrowserSession.hold`).
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
        // The last session under this room name failed while its video was paused. A new session starts with
        // its video on.
        START: { guard: "hasFailed", target: "on" },
        CLOSE: "off",
      },
    },
  },
} as const;

/** Adds the state of the video to a session snapshot from a release without video. */
export function withStreaming(snapshot: {
  readonly value: unknown;
  readonly context: { readonly paused?: boolean };
}): object {
  const { value, context } = snapshot;
  const { paused, ...rest } = context;
  const streaming = value === "closed" ? "off" : paused ? "paused" : "on";
  return { ...snapshot, value: { session: value, streaming }, context: rest };
}
