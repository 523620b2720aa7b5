/**
 * Reads requests and responses of GraphQL over HTTP. A server answers a mutation that failed with the status 200 and
 * a list of errors (GraphQL specification, section "Response Format").
 */
import { isRecord } from "../../is-plain-object.ts";

/** Matches a GraphQL document that contains a mutation, also after fragments. */
const MUTATION = /(?:^|\})\s*mutation\b/;

/** Whether the body of a request is a GraphQL mutation. */
export function isMutation(body: string | undefined): boolean {
  if (body === undefined || !body.includes("mutation")) return false;
  const operations = [parsed(body)].flat();
  return operations.some(
    (one) => isRecord(one) && typeof one.query === "string" && MUTATION.test(withoutComments(one.query)),
  );
}

/** Returns the messages of the errors in a GraphQL response; an empty list if it has none. */
export function errorsOfGraphQlResponse(body: string): readonly string[] {
  return [parsed(body)].flat().flatMap((result) => {
    if (!isRecord(result) || !Array.isArray(result.errors)) return [];
    return result.errors.map((error: unknown) =>
      isRecord(error) && typeof error.message === "string" ? error.message : "an error without a message",
    );
  });
}

const withoutComments = (query: string): string => query.replace(/#.*$/gm, "");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
