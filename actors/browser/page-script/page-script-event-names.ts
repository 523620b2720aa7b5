/**
 * Names of the events by which the page's main world and Cairn's isolated world exchange data in a document.
 * Each process chooses random names, so that no page can guess them. The bundler writes these names into the
 * page script.
 */
export interface EventNames {
  /**
   * The isolated world dispatches this event at the document, to request all elements that the main world has
   * recorded.
   */
  readonly request: string;
  /** The main world dispatches this event at an element that has a click listener. */
  readonly clickListener: string;
  /**
   * The main world dispatches this event at an element that has a listener for clicks or keys. A listener
   * only for `pointerdown` and similar events does not count.
   */
  readonly operatingListener: string;
  /** Name of the event that the main world dispatches at an element with a new closed shadow root. */
  readonly closedRoot: string;
  /** The isolated world dispatches this event at the document, to start to record the timers that the page sets. */
  readonly recordTimers: string;
  /** The isolated world dispatches this event at the document, to request the recorded timers. */
  readonly requestTimers: string;
  /** The main world answers by this event. Its `detail` has the recorded timers as JSON. */
  readonly timers: string;
  /** The isolated world dispatches this event at the document, to end the recording of timers. */
  readonly stopTimers: string;
}

declare const CAIRN_EVENT_NAMES: EventNames;

export const EVENT_NAMES: EventNames = CAIRN_EVENT_NAMES;

declare const CAIRN_HELD_MESSAGE_BINDING: string;

/** Name of the function by which the main world reports a message over a WebSocket that it has held back. */
export const HELD_MESSAGE_BINDING: string = CAIRN_HELD_MESSAGE_BINDING;
