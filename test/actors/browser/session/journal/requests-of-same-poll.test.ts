/**
 * Tests which requests count as repetitions of the same poll (a repeated request for news), although their
 * parameters differ.
 */
import { describe, expect, test } from "bun:test";
import {
  type PolledCall,
  pollKeyOf,
} from "../../../../../actors/browser/session/journal/known-polling-requests-of-site.ts";

const get = (path: string): PolledCall => ({ method: "GET", url: `https://chat.test:8443${path}` });
const post = (path: string, body: unknown): PolledCall => ({
  method: "POST",
  url: `https://chat.test:8443${path}`,
  postData: JSON.stringify(body),
});
const graphQl = (operation: string, since: number): PolledCall =>
  post("/graphql", { operationName: operation, variables: { since } });

describe("two requests count as the same poll", () => {
  test.each<[string, PolledCall, PolledCall]>([
    ["a number", get("/poll?since=41"), get("/poll?since=42")],
    ["a time stamp", get("/poll?since=2026-11-27T21:00Z"), get("/poll?since=2026-11-28T07:10Z")],
    ["an id in the path", get("/poll/ma7et6aiexy8ani"), get("/poll/q2wxy81bfoz0pk")],
    ["a number in the path", get("/rooms/7/news"), get("/rooms/12/news")],
    [
      "a time stamp of Engine.IO without digits",
      get("/socket.io/?EIO=4&transport=polling&t=PdAbXyZ&sid=Hjskwqop"),
      get("/socket.io/?EIO=4&transport=polling&t=PdAbXzQ&sid=Zuhgfdsa"),
    ],
    ["a number in the body", graphQl("News", 41), graphQl("News", 42)],
  ])("if they differ in %s", (_, one, other) => {
    expect(pollKeyOf(one)).toBe(pollKeyOf(other));
  });
});

describe("two requests count as different polls", () => {
  test.each<[string, PolledCall, PolledCall]>([
    ["the path", get("/api/v1/notifications"), get("/api/v1/orders")],
    ["the version of the API", get("/api/v1/orders"), get("/api/v2/orders")],
    ["a word of the query", get("/ajax?action=heartbeat"), get("/ajax?action=search")],
    ["the operation in the body", graphQl("News", 41), graphQl("Orders", 41)],
    ["the method", get("/poll"), { ...get("/poll"), method: "POST" }],
    ["the port", get("/poll"), { method: "GET", url: "https://chat.test/poll" }],
    ["a text of the body", post("/save", { name: "Ann" }), post("/save", { name: "Ben" })],
  ])("if they differ in %s", (_, one, other) => {
    expect(pollKeyOf(one)).not.toBe(pollKeyOf(other));
  });
});
