/** Limits of tools. Values are in milliseconds or bytes unless a comment says otherwise. */
import { SECOND } from "../../machines/time-and-size-units.ts";

export const toolLimits = {
  /**
   * How long `wait_for_exploration` waits by default, in seconds. The time is shorter than the usual time
   * limit of MCP clients.
   */
  waitSeconds: 50,
  maxWaitSeconds: 600,
  /**
   * Interval at which a waiting call reads the state. Events alone are not enough, because an event between nodes can
   * be lost.
   */
  pollInterval: SECOND,
} as const;
