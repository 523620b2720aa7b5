/**
 * How routes fail, as OpenAPI tells it: one component for each status, and every route refers to them.
 *
 * Neighbours: `operation.ts` refers, `../app.ts` puts the components into the document, `failure.ts` answers.
 */
import { type JsonSchema, jsonSchema } from "../tools/registry.ts";
import { errorSchema } from "./failure.ts";

interface Reference {
  readonly $ref: string;
}

/** Name and meaning of each status that an answer may fail with. */
const failures: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ["BadRequest", "Not JSON, or not a request that can be meant"],
  401: ["Unauthorized", "The key is missing or wrong"],
  403: ["Forbidden", "Host or Origin refused, or a key without the scope"],
  404: ["NotFound", "Not found"],
  409: ["Conflict", "In the way of something that exists"],
  413: ["TooLarge", "Body too large"],
  422: ["Invalid", "Arguments not valid; details.issues names each"],
  429: ["TooMuch", "Too much at once"],
  500: ["OwnFault", "Our own fault; nothing of it is told"],
  503: ["NotThereNow", "Not there now; nothing was done"],
  504: ["TookTooLong", "Took too long"],
};

/** The components that `failureReferences` refers to. */
export const failureComponents = {
  schemas: { Error: jsonSchema(errorSchema, "output") },
  responses: Object.fromEntries(
    Object.values(failures).map(([name, description]) => [
      name,
      { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } },
    ]),
  ),
} satisfies Readonly<Record<string, JsonSchema>>;

/** The responses of a route that may fail with these statuses, each of which must be known here. */
export function failureReferences(statuses: readonly number[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${failures[status]?.[0]}` }]),
  );
}
