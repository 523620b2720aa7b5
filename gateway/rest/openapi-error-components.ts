/** Error responses in OpenAPI: one component for each status, to which all routes refer. */
import { type JsonSchema, jsonSchema } from "../tools/define-tool.ts";
import { errorSchema } from "./error-response.ts";

interface Reference {
  readonly $ref: string;
}

/** Maps each error status to the name of its component (as in RFC 9110) and its description. */
const failures: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ["BadRequest", "The body is not JSON, or the request is malformed"],
  401: ["Unauthorized", "The key is missing or wrong"],
  403: ["Forbidden", "The Host or Origin is refused, or the key does not have the scope"],
  404: ["NotFound", "Not found"],
  409: ["Conflict", "The request conflicts with something that exists"],
  413: ["ContentTooLarge", "The body is too large"],
  415: ["UnsupportedMediaType", "The body is not application/json"],
  422: ["UnprocessableContent", "The arguments are not valid; details.issues names each"],
  429: ["TooManyRequests", "Too many requests; see Retry-After"],
  500: ["InternalServerError", "A fault in Cairn; its log has the cause"],
  503: ["ServiceUnavailable", "Not available now; nothing was done"],
  504: ["GatewayTimeout", "The request took too long"],
};

/**
 * The OpenAPI components of all error responses. The references from `failureReferences` name them.
 */
export const failureComponents = {
  get schemas() {
    return { Error: jsonSchema(errorSchema, "output") };
  },
  responses: Object.fromEntries(
    Object.values(failures).map(([name, description]) => [
      name,
      { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } },
    ]),
  ),
} satisfies Readonly<Record<string, JsonSchema>>;

/** Returns the OpenAPI responses for error statuses. Each status must be a key of `failures`. */
export function failureReferences(statuses: readonly number[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${failures[status]?.[0]}` }]),
  );
}
