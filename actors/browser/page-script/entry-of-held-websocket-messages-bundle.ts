/**
 * The entry module of the page script's bundle that holds back WebSocket messages. It runs in the JavaScript world
 * of the page's own scripts, in sessions with a request guard (a function that allows or refuses each request).
 */

import { holdWritingSocketMessages } from "./hold-back-changing-websocket-messages.ts";
import { HELD_MESSAGE_BINDING } from "./page-script-event-names.ts";

holdWritingSocketMessages(HELD_MESSAGE_BINDING);
