/**
 * The entry module of the page script's bundle that runs in the JavaScript world of the page's own scripts,
 * before the first of those scripts.
 */
import { EVENT_NAMES } from "./event-names.ts";
import { trackListeners } from "./listener-tracking.ts";

trackListeners(EVENT_NAMES);
