/** The entry of the bundle that runs in the world of the page's own scripts, before any of them. */
import { EVENT_NAMES } from "./event-names.ts";
import { trackListeners } from "./listener-tracking.ts";

trackListeners(EVENT_NAMES);
