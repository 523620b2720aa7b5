/** Tests the prompts that Cairn offers over MCP. */
import { expect, test } from "bun:test";
import { testGateway } from "../test-gateway.ts";
import { connectTo, textOf } from "./mcp-test-clients.ts";

test("the MCP prompt explains how to interact with the page of a session and contains its elements", async () => {
  const { client, call } = await connectTo(testGateway());
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(["interact_with_page", "watch_and_talk"]);
  await call("start_browser_session", { room_name: "demo" });
  const seen = await call("analyze_page", { room_name: "demo", detail: "records" });
  const { data } = JSON.parse(textOf(seen)) as {
    readonly data: { readonly clickableElementsString: string };
  };
  const { messages } = await client.getPrompt({
    name: "interact_with_page",
    arguments: { room_name: "demo", task: "Order a tent" },
  });
  const content = messages[0]?.content;
  const text = content?.type === "text" ? content.text : "";
  expect(text).toStartWith("You are helping a user interact with a webpage.");
  expect(text).toContain(data.clickableElementsString);
  expect(text).toContain("The task: Order a tent");
});

test.each([
  ["dance", { room_name: "demo" }, "no prompt"],
  ["interact_with_page", {}, "room_name"],
  ["interact_with_page", { room_name: "nowhere" }, "session.not_found"],
])("the MCP prompt %s is refused with a message for the arguments %p", async (name, args, words) => {
  const { client } = await connectTo(testGateway());
  await expect(client.getPrompt({ name, arguments: args })).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining(words),
  });
});

test("the MCP prompt for a voice agent names the room, its participant and the topic of events", async () => {
  const { client } = await connectTo(testGateway());
  const { messages } = await client.getPrompt({
    name: "watch_and_talk",
    arguments: { room_name: "demo", task: "Find the price." },
  });
  const [message] = messages;
  const text = message?.content.type === "text" ? message.content.text : "";
  for (const part of ['"room_name": "demo"', "cairn-demo", "browser:events", "Find the price."])
    expect(text).toContain(part);
});
