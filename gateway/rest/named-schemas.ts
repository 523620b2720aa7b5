/**
 * The named schemas of the OpenAPI document: the result of each tool that has a route, so that generated clients have a
 * type for it. Bodies stay inline, because client generators take a named schema's fields with defaults for required.
 */
import type { JsonSchema, Tool } from "../tools/define-tool.ts";

const resultName = ({ name }: Tool): string =>
  `${name.replace(/(^|_)(\w)/g, (_match, _gap, letter: string) => letter.toUpperCase())}Result`;

export function resultReference(tool: Tool): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${resultName(tool)}` };
}

/** The schemas that the documentation of the tools' routes refers to. */
export function resultSchemas(tools: readonly Tool[]): Readonly<Record<string, JsonSchema>> {
  const routed = tools.filter(({ routes }) => routes.length > 0);
  return Object.fromEntries(routed.map((tool) => [resultName(tool), tool.outputSchema]));
}
