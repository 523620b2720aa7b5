/** Tests which requests are GraphQL mutations, and which errors a GraphQL response reports. */
import { expect, test } from "bun:test";
import {
  errorsOfGraphQlResponse,
  isMutation,
} from "../../../../machines/session/actions/graphql-requests-and-responses.ts";

const sent = (query: string): string => JSON.stringify({ query, variables: {} });

test.each([
  [sent("mutation Add { add }"), true],
  [sent("fragment F on Tag { id }\n# mutation\nmutation { add { ...F } }"), true],
  [`[${sent("query { a }")},${sent("mutation { add }")}]`, true],
  [sent("query Log { mutation }"), false],
  [sent("# mutation\n{ tags }"), false],
  ['{"event":"mutation { add }"}', false],
  ["name=mutation", false],
  [undefined, false],
])("the request %p is a mutation: %p", (body, wanted) => {
  expect(isMutation(body)).toBe(wanted);
});

test.each([
  ['{"data":null,"errors":[{"message":"Taken"},{}]}', ["Taken", "an error without a message"]],
  ['[{"data":{}},{"errors":[{"message":"Taken"}]}]', ["Taken"]],
  ['{"data":{"errors":[{"message":"Taken"}]}}', []],
  ['{"data":{},"errors":[]}', []],
  ["<h1>Done</h1>", []],
])("the response %p reports the errors %p", (body, errors) => {
  expect(errorsOfGraphQlResponse(body)).toEqual([...errors]);
});
