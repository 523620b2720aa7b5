/** Entry of the bundle for the world of the page's own scripts, which runs before any of them. */
import { EVENT_NAMES } from "./event-names.ts";
import { trackListeners } from "./listener-tracking.ts";

trackListeners(EVENT_NAMES);
