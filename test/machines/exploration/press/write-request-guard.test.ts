import { describe, expect, test } from "bun:test";
import { WriteGuard } from "../../../../machines/exploration/press/write-request-guard.ts";

const url = (path: string) => `https://a.example${path}`;
const request = (method: string, path: string, body?: string) => ({ url: url(path), method, body });

function pressing(): WriteGuard {
  const guard = new WriteGuard(false);
  guard.permits(request("POST", "/api/feed/17", "{}"));
  guard.loading = false;
  return guard;
}

test.each(["/submissions/ABCDEF/favourite/", "/items/3/unstar", "/api/posts/9/like"])(
  "while a page loads, a request that marks an item (%s) is blocked, because it may repeat a request that was blocked earlier",
  (path) => {
    const guard = new WriteGuard(false);
    expect(guard.permits(request("POST", path, "{}"))).toBe(false);
    expect(guard.permits(request("POST", "/api/favourites", "{}"))).toBe(true);
  },
);

describe("the write guard of an exploration, after a press on a control,", () => {
  test.each([
    ["GET", "/orders", undefined],
    ["POST", "/graphql", '{"query":"query { orders { id } }"}'],
    ["POST", "/graphql", '{"query":"{ orders { id } }"}'],
    ["POST", "/api/search", '{"q":"a"}'],
    ["POST", "/api/search/users", "q=a"],
    ["POST", "/orders/query.json", "{}"],
    ["POST", "/api/feed/18", "{}"],
    ["SEARCH", "/items/notes", '{"query":{"limit":25}}'],
    ["PROPFIND", "/remote.php/dav/files/ana", "<propfind/>"],
  ])("permits the request %s %s", (method, path, body) => {
    expect(pressing().permits(request(method, path, body))).toBe(true);
  });

  test.each([
    ["POST", "/api/notes", "{}"],
    ["PUT", "/api/notes/1", "{}"],
    ["DELETE", "/api/notes/1", undefined],
    ["PATCH", "/api/search", "{}"],
    ["POST", "/list/5/delete", "{}"],
    ["POST", "/list/5/items", "{}"],
    ["POST", "/search/12/remove", "{}"],
    ["POST", "/search/delete", "{}"],
    ["POST", "/filter/create", "{}"],
    ["GET", "/logout", undefined],
    ["GET", "/users/sign_out", undefined],
    ["GET", "/notes/1/delete", undefined],
    ["POST", "/graphql", '{"query":"mutation { drop }"}'],
    ["POST", "/graphql", '[{"query":"{ a }"},{"query":"mutation { drop }"}]'],
    ["POST", "/beacon", "q=1"],
  ])("blocks the request %s %s", (method, path, body) => {
    const guard = pressing();
    expect(guard.permits(request(method, path, body))).toBe(false);
    expect(guard.held).toBe(1);
  });

  const form = (fields: string) => request("POST", "/wp-admin/admin-ajax.php", fields);
  const multipart = (action: string) =>
    `--b\r\nContent-Disposition: form-data; name="action"\r\n\r\n${action}\r\n--b--\r\n`;

  test.each([
    ["a field of a form", form("action=heartbeat&interval=60"), form("action=delete-tag&tag_ID=4")],
    ["the same fields with another function", form("action=heartbeat&id=1"), form("action=trash-post&id=4")],
    [
      "a part of a form with files",
      request("POST", "/ajax", multipart("ping")),
      request("POST", "/ajax", multipart("upload")),
    ],
    [
      "a parameter of the address",
      request("POST", "/index.php?route=cart/info"),
      request("POST", "/index.php?route=cart/add"),
    ],
    [
      "the method of JSON-RPC",
      request("POST", "/jsonrpc", '{"id":1,"method":"list","params":{}}'),
      request("POST", "/jsonrpc", '{"id":2,"method":"drop","params":{}}'),
    ],
  ])(
    "blocks a request whose %s selects another function than the requests of the page load",
    (_, read, write) => {
      const guard = new WriteGuard(false);
      guard.permits(read);
      guard.loading = false;
      expect(guard.permits(read)).toBe(true);
      expect(guard.permits(write)).toBe(false);
    },
  );

  test("permits a request for the next part of a list if it differs only in numbers from the requests with which the page loaded", () => {
    const guard = new WriteGuard(false);
    guard.permits(form("draw=1&columns[0][data]=name&columns[1][data]=age&start=0"));
    guard.loading = false;
    expect(guard.permits(form("draw=2&columns[0][data]=name&columns[1][data]=age&start=10"))).toBe(true);
  });
});

test.each([
  ["a header", { ...request("POST", "/users/me", "{}"), headers: { "X-HTTP-Method-Override": "PUT" } }],
  ["a field", request("POST", "/notes/3", "_method=delete&page=2")],
  ["a parameter", request("POST", "/notes/3?_method=PATCH", "title=a")],
])(
  "the write guard blocks a POST request of a loading page if %s replaces its method by another one",
  (_, replaced) => {
    expect(new WriteGuard(false).permits(replaced)).toBe(false);
  },
);

test("the write guard blocks addresses that switch something on or off (/schedule/toggle) only in a signed-in session", () => {
  expect(new WriteGuard(true).permits(request("GET", "/schedule/toggle"))).toBe(false);
  expect(new WriteGuard(false).permits(request("GET", "/components/toggle"))).toBe(true);
});

test("the write guard permits a page of a manual that is named after a command only if the exploration itself opens the page", () => {
  const guard = new WriteGuard(true);
  guard.page = "https://a.example/docs/cli/enable";
  expect(guard.permits(request("GET", "/docs/cli/enable/"))).toBe(true);
  expect(guard.permits(request("GET", "/docs/payroll/enable"))).toBe(false);
  guard.page = "https://a.example/settings/sms/enable";
  expect(guard.permits(request("GET", "/settings/sms/enable"))).toBe(false);
  expect(guard.permits(request("GET", "/docs/cli/enable"))).toBe(false);
});

test("a request that changes data and that pages send on their own while they load is blocked after a press too, but not attributed to the pressed control", () => {
  const report = (page: string) =>
    request("PATCH", "/users/me/track/page", JSON.stringify({ last_page: page }));
  const guard = new WriteGuard(true);
  expect(guard.permits(report("/content/notes"))).toBe(false);
  guard.loading = false;
  guard.begin("link Notes");
  expect(guard.permits(report("/content/notes/4"))).toBe(false);
  expect(guard.blamed).toBe(false);
  expect(guard.permits(request("PATCH", "/users/me", JSON.stringify({ last_page: "/x" })))).toBe(false);
  expect(guard.blamed).toBe(true);
});

test.each([
  ["/content/notes/4", false],
  ["https://a.example/admin/content/notes/4", false],
  ["/content/notes/5", true],
  ["4", true],
])(
  "a request with the only value %s is blocked on the page /admin/content/notes/4, and attributed to the press unless the value is the page's address: %p",
  (text, isBlamed) => {
    const guard = new WriteGuard(true);
    guard.loading = false;
    guard.begin("link Note 4");
    const headers = { Referer: "https://a.example/admin/content/notes/4" };
    expect(guard.permits({ ...request("PATCH", "/me", JSON.stringify({ page: text })), headers })).toBe(
      false,
    );
    expect(guard.blamed).toBe(isBlamed);
  },
);
