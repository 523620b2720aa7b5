/** The tools of a gateway, by name. REST, MCP and the other interfaces of the gateway share this registry. */
import { Refused } from "../../machines/errors.ts";
import type { Tool } from "./define-tool.ts";
import type { ToolSet } from "./tool-sets.ts";

export class ToolRegistry {
  /**
   * All tools in the order of their registration, including the tools for operators. REST routes are generated
   * from this list.
   */
  readonly all: readonly Tool[];
  readonly #callable: ReadonlyMap<string, Tool>;

  constructor(tools: readonly Tool[]) {
    this.all = tools;
    const callable = tools.filter(({ sets }) => sets !== "operator");
    this.#callable = new Map(callable.map((tool) => [tool.name, tool]));
  }

  /** Returns the tools that agents can call. */
  list(): readonly Tool[] {
    return [...this.#callable.values()];
  }

  /** Returns the tools of the chosen sets, and the tools that belong to every set. */
  chosen(sets: readonly ToolSet[]): readonly Tool[] {
    if (sets.includes("all")) return this.list();
    return this.list().filter((tool) => {
      if (typeof tool.sets === "string") return tool.sets === "always";
      return tool.sets.some((set) => sets.includes(set));
    });
  }

  find(name: string): Tool | undefined {
    return this.#callable.get(name);
  }

  /** Returns a tool. Throws `tool.unknown` (404), which lists the names of all tools. */
  get(name: string): Tool {
    const tool = this.find(name);
    if (tool) return tool;
    throw new Refused(
      "tool.unknown",
      `There is no tool "${name.slice(0, 100)}". GET /mcp/tools lists them.`,
      {
        status: 404,
        details: { tools: [...this.#callable.keys()] },
      },
    );
  }
}
