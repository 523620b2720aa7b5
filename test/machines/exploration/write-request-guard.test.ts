import { describe, expect, test } from "bun:test";
import { WriteGuard } from "../../../machines/exploration/write-request-guard.ts";

const url = (path: string) => `https://a.example${path}`;
const request = (method: string, path: string, body?: string) => ({ url: url(path), method, body });

function pressing(): WriteGuard {
  const guard = new WriteGuard();
  guard.permits(request("POST", "/api/feed/17", "{}"));
  guard.loading = false;
  return guard;
}

describe("the write guard of an exploration, after it pressed a control,", () => {
  test.each([
    ["GET", "/orders", undefined],
    ["POST", "/graphql", '{"query":"query { orders { id } }"}'],
    ["POST", "/graphql", '{"query":"{ orders { id } }"}'],
    ["POST", "/api/search", '{"q":"a"}'],
    ["POST", "/api/feed/18", "{}"],
  ])("permits the request %s %s", (method, path, body) => {
    expect(pressing().permits(request(method, path, body))).toBe(true);
  });

  test.each([
    ["POST", "/api/notes", "{}"],
    ["PUT", "/api/notes/1", "{}"],
    ["DELETE", "/api/notes/1", undefined],
    ["PATCH", "/api/search", "{}"],
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
});
