/**
 * Calls tools for jobs of the Redis queues. These calls pass the same checks as all others. The name of their
 * caller is `edge`, for example in the audit log.
 */

import type { StartingSystem } from "../running-system-for-waiting-requests.ts";
import type { ToolCalls } from "../tools/run-and-audit-tool-calls.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";

const EDGE = { name: "edge", scope: "act" } as const;

export interface EdgeSurface {
  readonly system: StartingSystem;
  readonly registry: ToolRegistry;
  readonly calls: ToolCalls;
}

/** The part of `EdgeCalls` that the consumers of the Redis queues use. */
export type ToolRunner = Pick<EdgeCalls, "run">;

export class EdgeCalls {
  readonly #surface: EdgeSurface;

  constructor(surface: EdgeSurface) {
    this.#surface = surface;
  }

  /** Calls a tool. Throws the errors of the tool. */
  async run(tool: string, args: Readonly<Record<string, unknown>>, jobId: string): Promise<unknown> {
    const { calls, registry, system } = this.#surface;
    await system.available();
    return await calls.run(registry.get(tool), args, { caller: EDGE, requestId: jobId, jobId });
  }
}
