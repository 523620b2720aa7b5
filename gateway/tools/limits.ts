/** Limits of tools. In milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../../machines/units.ts";

export const toolLimits = {
  /**
   * How long `wait_for_exploration` waits by default, in seconds. The time is shorter than the usual time
   * limit of MCP clients.
   */
  waitSeconds: 50,
  maxWaitSeconds: 600,
  /**
   * Interval at which a waiting call polls. Events alone do not suffice, because events between nodes can be
   * lost.
   */
  pollInterval: SECOND,
} as const;
