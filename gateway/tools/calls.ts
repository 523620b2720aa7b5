/**
 * Every call of a tool, from whichever surface: may its caller, are its arguments right, then it is run.
 *
 * Neighbours: `registry.ts` has the tools; REST (`../rest/operation.ts`), the plain calls (`../rest/tools.ts`) and MCP
 * (`../mcp/cairn-server.ts`) call through here and nowhere else.
 */
import { assertScope, type Caller } from "../security/scope.ts";
import type { SystemSlot } from "../system-slot.ts";
import type { Call, Tool } from "./registry.ts";

/** Who calls, and by which request. */
export interface CallFrom extends Call {
  readonly caller: Caller;
  readonly requestId: string;
}

export class Calls {
  readonly #system: SystemSlot;

  constructor(system: SystemSlot) {
    this.#system = system;
  }

  /** Throws `security.scope`, what `tool.check` throws, and what the tool does. */
  async run(tool: Tool, args: unknown, from: CallFrom): Promise<unknown> {
    assertScope(from.caller, tool.scope, `The tool ${tool.name}`);
    tool.check(args);
    return await tool.run(await this.#system.available(), args, from);
  }
}
