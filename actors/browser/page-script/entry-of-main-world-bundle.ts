/**
 * The entry module of the page script's bundle that runs in the JavaScript world of the page's own scripts,
 * before the first of those scripts.
 */

import { trackListeners } from "./click-listener-tracking.ts";
import { EVENT_NAMES } from "./page-script-event-names.ts";
import { recordTimersOnRequest } from "./record-timers-of-page.ts";

trackListeners(EVENT_NAMES);
recordTimersOnRequest(EVENT_NAMES);
