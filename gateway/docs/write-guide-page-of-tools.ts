/**
 * Generates the page `guide/tools.md`: every tool with its scope, its sets and its routes. `npm run openapi`
 * writes the page, and a test compares it with the tools.
 */
import type { Tool } from "../tools/define-tool.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";

const HEAD = `# Tools

<!-- Written by \`npm run openapi\`. -->

A tool is one thing that Cairn can do. It is callable over MCP (\`/mcp\`), over \`POST /mcp/tools/call\`, and over REST where it has a route of its own. A call needs a key whose scope includes the tool's scope.

\`CAIRN_TOOLS\` chooses the sets of the MCP list. Tools of the list \`always\` are in every list; they are the tools of the protocol specification. A tool that is not listed can still be called. Tools of the list \`operator\` have a REST route only: agents can neither list nor call them.
`;

/** Formats a text for a cell of a Markdown table. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}

function row({ name, scope, sets, routes, description }: Tool): string {
  const listed = typeof sets === "string" ? sets : sets.join(", ");
  const paths = routes.map(({ method, path }) => `\`${method} ${path.replace(/:(\w+)/g, "{$1}")}\``);
  return `| \`${name}\` | ${scope} | ${listed} | ${paths.join(", ")} | ${cell(description)} |`;
}

export function toolReference(registry: ToolRegistry): string {
  const table = ["| tool | scope | list | REST route | what it does |", "|---|---|---|---|---|"];
  return `${HEAD}\n${[...table, ...registry.all.map(row)].join("\n")}\n`;
}
