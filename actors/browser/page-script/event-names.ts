/**
 * Names of the events by which the main world and the isolated world of a document talk to each other. Each process makes
 * them up at random, so that no page can guess them; the bundler puts them in the place of the constant.
 */
export interface EventNames {
  /** Dispatched at the document to request all elements noted so far. */
  readonly request: string;
  /** Dispatched at an element that has a click listener. */
  readonly clickListener: string;
  /** Dispatched at an element that listens to clicks or keys, and not to presses of the button only. */
  readonly operatingListener: string;
  /** Dispatched at an element that received a closed shadow root. */
  readonly closedRoot: string;
}

declare const CAIRN_EVENT_NAMES: EventNames;

export const EVENT_NAMES: EventNames = CAIRN_EVENT_NAMES;
