/**
 * Name of the function by which the page script reports that it has stopped a form with a password. Chromium adds the
 * function to the isolated world, so pages cannot call it.
 */
export const STOPPED_BINDING = "cairnPasswordFormStopped";

/** What was stopped: a form that the browser would have sent, or an address with the password that a script has opened. */
export type StoppedSending = "form" | "address";
