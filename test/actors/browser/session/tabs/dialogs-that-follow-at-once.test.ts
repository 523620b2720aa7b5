/**
 * Tests that a tab knows the dialog that a page opens directly after another one. A stand-in for Chromium's pipe
 * writes the end of the first dialog and the start of the next in one piece, as Chromium does on a busy computer.
 */
import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { Connection } from "../../../../../actors/browser/chromium/devtools-connection.ts";
import { AwaitedRequests } from "../../../../../actors/browser/session/journal/pending-requests-of-page.ts";
import { Tab } from "../../../../../actors/browser/session/tabs/browser-tab.ts";

const RESULTS: Record<string, unknown> = {
  "Page.getFrameTree": { frameTree: { frame: { id: "tab", loaderId: "first", url: "about:blank" } } },
};
const opened = (message: string) => ({
  method: "Page.javascriptDialogOpening",
  params: { type: "confirm", message },
});

/** Returns a tab whose page shows the first dialog, and opens the second one when the first is answered. */
async function tabWithDialogs(first: string, second: string): Promise<Tab> {
  const commands = new PassThrough();
  const messages = new PassThrough();
  const write = (...sent: readonly object[]) =>
    messages.write(sent.map((message) => `${JSON.stringify({ sessionId: "page", ...message })}\0`).join(""));
  commands.on("data", (chunk: Buffer) => {
    for (const text of chunk.toString().split("\0").filter(Boolean)) {
      const { id, method } = JSON.parse(text);
      const response = { id, result: RESULTS[method] ?? {} };
      if (method === "Page.handleJavaScriptDialog")
        write(response, { method: "Page.javascriptDialogClosed", params: {} }, opened(second));
      else write(response);
    }
  });
  const connection = new Connection(commands, messages);
  const tab = await Tab.attach(connection, "tab", {
    attachedSessionId: "page",
    empty: true,
    viewport: { width: 800, height: 600 },
    onVisited: () => {},
    onEnded: () => {},
    events: { arrived: () => {}, navigated: () => {}, loaded: () => {} },
    requests: new AwaitedRequests(),
    onFollowed: () => {},
  });
  write(opened(first));
  await tab.waitUntil(() => tab.dialog !== undefined, 10_000);
  return tab;
}

test("a dialog that a page opens as soon as the dialog before is answered is open for the next call", async () => {
  const tab = await tabWithDialogs("Delete?", "Really?");
  expect(await tab.handleDialog(true, undefined)).toMatchObject({ message: "Delete?" });
  expect(tab.dialog?.message).toBe("Really?");
  await expect(tab.answer(new Promise(() => {}))).rejects.toThrow('A confirm is open: "Really?"');
});
