/** Tests which lines of standard input a reader is offered, and what the MCP library receives. */
import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withoutTakenLines } from "../../../gateway/mcp/stdio-lines-before-mcp-library.ts";

function divided(takes: (line: string) => boolean = (line) => line.startsWith("take")) {
  const input = new PassThrough();
  const offered: string[] = [];
  const received: string[] = [];
  const rest = withoutTakenLines(input, (line) => {
    offered.push(line.toString());
    return takes(line.toString());
  });
  const ended = new Promise<void>((resolve) => rest.on("end", resolve));
  rest.on("data", (chunk: Buffer) => received.push(chunk.toString()));
  const write = async (...chunks: string[]) => {
    for (const chunk of chunks) {
      input.write(chunk);
      await nextTurn();
    }
  };
  return { input, rest, offered, received, ended, write };
}

test("a line that Cairn handles itself does not reach the MCP library, but all other bytes do", async () => {
  const { offered, received, write } = divided();
  await write("take 1\n", "other\n", "take 2\n");
  expect(offered).toEqual(["take 1\n", "other\n", "take 2\n"]);
  expect(received).toEqual(["other\n"]);
});

test("only a line that arrives alone in one chunk is offered to Cairn; the MCP library gets the others", async () => {
  const { offered, received, write } = divided();
  await write("ta", "ke 1\n", "take 2\ntake 3\n", "take 4\n");
  expect(offered).toEqual(["take 4\n"]);
  expect(received.join("")).toBe("take 1\ntake 2\ntake 3\n");
});

test("the second chunk of a line goes to the MCP library, even if this chunk alone looks like a line for Cairn", async () => {
  const { offered, received, write } = divided();
  await write('{"text":"', "take 1\n");
  expect(offered).toEqual([]);
  expect(received.join("")).toBe('{"text":"take 1\n');
});

test("a long line goes to the MCP library without being offered to Cairn", async () => {
  const { offered, received, write } = divided();
  const line = `take ${"x".repeat(5_000)}\n`;
  await write(line);
  expect(offered).toEqual([]);
  expect(received.join("")).toBe(line);
});

test("no line is offered to Cairn after the stream of the MCP library is destroyed", async () => {
  const { rest, offered, write } = divided();
  rest.destroy();
  await write("", "take 1\n");
  expect(offered).toEqual([]);
});

test("the stream of the MCP library ends when standard input ends", async () => {
  const { input, received, ended } = divided();
  input.end("last");
  await ended;
  expect(received).toEqual(["last"]);
});
