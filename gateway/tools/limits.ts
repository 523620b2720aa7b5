/** Limits of tools. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../../machines/units.ts";

export const toolLimits = {
  /** How long `wait_for_exploration` waits when the caller gives no time: less than the timeout of MCP clients. */
  waitSeconds: 50,
  maxWaitSeconds: 600,
  /** Poll interval of a waiting call: events between nodes can be lost. */
  pollInterval: SECOND,
} as const;
