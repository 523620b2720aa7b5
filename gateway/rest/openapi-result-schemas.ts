/**
 * Gives the results of tools named schemas in OpenAPI, so that generated clients have a type for each result. Results
 * of tools without a REST route get no schema. Request bodies get no named schemas, because client generators would
 * then treat fields with defaults as required.
 */
import type { JsonSchema, Tool } from "../tools/define-tool.ts";

const resultName = ({ name }: Tool): string =>
  `${name.replace(/(^|_)(\w)/g, (_match, _gap, letter: string) => letter.toUpperCase())}Result`;

export function resultReference(tool: Tool): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${resultName(tool)}` };
}

/** Returns the schemas of tool results by name. The documentation of routes refers to these names. */
export function resultSchemas(tools: readonly Tool[]): Readonly<Record<string, JsonSchema>> {
  const routed = tools.filter(({ routes }) => routes.length > 0);
  return Object.fromEntries(routed.map((tool) => [resultName(tool), tool.outputSchema]));
}
