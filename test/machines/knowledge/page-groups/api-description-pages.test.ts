/** Tests which pages count as the description of a programming interface, as Redoc and Swagger UI show it. */
import { expect, test } from "bun:test";
import {
  asksForApi,
  describesApi,
} from "../../../../machines/knowledge/page-groups/api-description-pages.ts";

const things =
  "Connection Pool Variable User Role Job Task Event Dataset Plugin Log Import Provider Config Health Run".split(
    " ",
  );
const filler =
  "The items of the list are sorted by their names, and each item has a key and a value. ".repeat(60);

const operation = (thing: string) =>
  `## Create a ${thing}\n\n### Responses\n\n- 200\n- 401\n- 403\n\nContent type application/json\n\n`;

test("a page that lists the operations on many things counts as the description of a programming interface (API)", () => {
  const content = `Use POST to create, GET to read, PATCH to change.\n\n${things.map(operation).join("")}${filler}`;
  expect(describesApi({ content, headings: things.flatMap((thing) => [thing, `Create a ${thing}`]) })).toBe(
    true,
  );
});

test("a page whose operations are collapsed counts as the description of a programming interface (API) if it describes the errors", () => {
  const errors = ["Unauthenticated", "PermissionDenied", "BadRequest", "NotFound", "MethodNotAllowed"];
  const content = `An HTTP POST request creates, GET reads, PATCH changes and DELETE removes. The response has application/json.
    A schema is in the response body. Query parameters: limit. Responses: ${errors.map((one) => `\n## ${one}\n`).join("")}${filler}`;
  expect(describesApi({ content, headings: [...things, ...errors] })).toBe(true);
});

test("a long page of settings, a form for a webhook and a short page do not count as the description of a programming interface (API)", () => {
  expect(describesApi({ content: filler, headings: things })).toBe(false);
  const webhook = `Method GET POST PUT DELETE. Content type application/json. ${filler}`;
  expect(describesApi({ content: webhook, headings: things })).toBe(false);
  expect(describesApi({ content: things.map(operation).join("").slice(0, 3000), headings: things })).toBe(
    false,
  );
});

test("a search for the programming interface (REST API reference) is distinguished from a search for an action (add a new connection)", () => {
  expect(asksForApi("REST API reference")).toBe(true);
  expect(asksForApi("list of endpoints")).toBe(true);
  expect(asksForApi("add a new connection")).toBe(false);
});
