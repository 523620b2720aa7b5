/**
 * Tests that the events of sessions have the fields of the protocol specification, and that they contain no
 * secrets.
 */
import { describe, expect, test } from "bun:test";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";
import {
  actionPayload,
  maskedParams,
  outcomeEvent,
  sessionEvent,
  sessionTopic,
} from "../../../machines/session/build-session-events.ts";

const SECRET = "correct horse battery";

describe("an event of a session", () => {
  test("contains its payload both at the top level and in data, and its time in seconds", () => {
    const screen = { url: "https://a.test/", within_document: false, tab: 0 };
    expect(sessionEvent("page_navigation", "room", screen, 1_234_567)).toEqual({
      type: "page_navigation",
      room_name: "room",
      ...screen,
      data: { room_name: "room", ...screen },
      timestamp: 1_234.567,
    });
  });

  test("about an action has the name that the caller used, the command id and the outcome", () => {
    const given = {
      id: "c",
      action: parseAction("type", { index: 1, text: SECRET }),
      called: "type",
      job_id: "j",
    };
    const failed = { success: false, error: "It went.", data: { code: "element_stale" } };
    expect(outcomeEvent("room", given, failed, 1)).toMatchObject({
      type: "publish",
      topic: "session.room.action_error",
      event: {
        type: "action_error",
        action: { action_type: "type", params: { index: 1, clear: true } },
        command_id: "c",
        job_id: "j",
        error: "It went.",
        result: failed,
      },
    });
    expect(outcomeEvent("room", given, { success: true, error: null, data: {} }, 1)).toMatchObject({
      topic: "session.room.action_completed",
    });
    expect(
      actionPayload({ id: "c", action: parseAction("fill", { index: 1, text: "" }) }).action.action_type,
    ).toBe("input");
  });

  test("about an action has the locators that the caller gave, with masked tokens, and no index in their place", () => {
    const paramsOf = (name: string, params: Readonly<Record<string, unknown>>) =>
      actionPayload({ id: "c", action: parseAction(name, params) }).action.params;
    const goal = { role: "listitem", name: "Done" };
    expect(paramsOf("click", { name: "Tasks" })).toMatchObject({ name: "Tasks" });
    expect(paramsOf("click", { name: "Tasks" })).not.toHaveProperty("index");
    expect(paramsOf("click", { index: 7 })).toMatchObject({ index: 7 });
    const dragged = paramsOf("drag_drop", { text: "Mend the roof", to: goal });
    expect(dragged).toMatchObject({ text: "Mend the roof", to: goal });
    expect(dragged).not.toHaveProperty("to_index");
    const fields = [
      { selector: "#name", value: SECRET },
      { label: "City", value: "Graz" },
    ];
    const filled = paramsOf("fill_form", { fields });
    expect(filled).toMatchObject({ fields: [{ selector: "#name" }, { label: "City" }] });
    expect(JSON.stringify(filled)).not.toMatch(/index|correct horse/);
    const link = paramsOf("click", { selector: 'a[href="https://a.test/?access_token=t0k3n"]' });
    expect(JSON.stringify(link)).not.toContain("t0k3n");
  });

  test("masks tokens in addresses", () => {
    const screen = { url: "https://a.test/?access_token=t0k3n&q=1#id_token=t0k3n", title: "url: t0" };
    const event = sessionEvent("page_navigation", "room", { ...screen, within_document: false, tab: 0 }, 1);
    expect(JSON.stringify(event)).not.toContain("t0k3n");
    expect(event).toMatchObject({ url: "https://a.test/?access_token=********&q=1#id_token=********" });
    const params = { url: "https://ann:t0k3n@a.test/?api_key=t0k3n" };
    const given = { id: "c", action: parseAction("navigate", params) };
    const result = { success: false, error: `Not there: ${params.url}`, data: { url: params.url } };
    expect(JSON.stringify(outcomeEvent("room", given, result, 1))).not.toContain("t0k3n");
  });

  test("has a topic with the session's name, whatever characters the name contains", () => {
    expect(sessionTopic("a.b *", "dom_change")).toBe("session.a%2Eb%20%2A.dom_change");
    expect(sessionTopic("room")).toBe("session.room.*");
    expect(sessionTopic()).toBe("session.*.*");
  });
});

test.each([
  ["input", { index: 1, text: SECRET }],
  ["type_slowly", { index: 1, text: SECRET }],
  ["paste", { text: SECRET }],
  [
    "fill_form",
    {
      fields: [
        { label: "Password", value: SECRET },
        { index: 2, value: [SECRET] },
      ],
    },
  ],
  ["handle_dialog", { text: SECRET }],
  ["send_keys", { keys: [...SECRET.replaceAll(" ", "")].join(" ") }],
  ["upload_file", { index: 1, files: [{ name: "key.pem", content: SECRET }] }],
  ["evaluate", { code: `login("${SECRET}")` }],
  ["navigate", { url: `https://ann:${encodeURIComponent(SECRET)}@a.test/` }],
])("events of sessions mask the typed parameters of %s", (name, params) => {
  const masked = JSON.stringify(maskedParams(parseAction(name, params)));
  for (const word of [SECRET, "horse", "c o r r"]) expect(masked).not.toContain(word);
});

test("events of sessions omit the encrypted part of an action, and keep its other parameters", () => {
  expect(
    maskedParams({ name: "input", params: { index: 1, text: "(5 characters)", sealed: "v1.x" } }),
  ).toEqual({ index: 1, text: "(5 characters)" });
});

test("events of sessions do not mask pressed keys, indices and addresses", () => {
  expect(maskedParams(parseAction("send_keys", { keys: "Control+a Enter" }))).toEqual({
    keys: "Control+a Enter",
  });
  expect(maskedParams(parseAction("navigate", { url: "https://a.test/@b" }))).toEqual({
    url: "https://a.test/@b",
  });
  expect(maskedParams(parseAction("select_dropdown", { index: 1, text: "Vienna" }))).toEqual({
    index: 1,
    text: "Vienna",
  });
});
