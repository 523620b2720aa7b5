/**
 * The entry module of the page script's bundle that holds messages over WebSockets back. It runs in the JavaScript
 * world of the page's own scripts, in sessions whose requests are judged.
 */

import { holdWritingSocketMessages } from "./hold-back-changing-websocket-messages.ts";
import { HELD_MESSAGE_BINDING } from "./page-script-event-names.ts";

holdWritingSocketMessages(HELD_MESSAGE_BINDING);
