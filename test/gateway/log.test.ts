/** Tests the log: JSON for programs, one line for people, and no secret in either form. */
import { expect, test } from "bun:test";
import { createLog, type LogConfig } from "../../gateway/log.ts";

function logInto(config: Partial<LogConfig>, isTTY = false) {
  const lines: string[] = [];
  const settings: LogConfig = { logLevel: "info", logFormat: "auto", ...config };
  const sink = { isTTY, write: (line: string) => lines.push(line) };
  return { lines, log: createLog(settings, sink) };
}

test("a log line is JSON with level, time, message and fields", () => {
  const { lines, log } = logInto({});
  log.info("listening", { url: "http://x/" });
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    level: "info",
    time: expect.any(Number),
    msg: "listening",
    url: "http://x/",
  });
});

test("a log line on a terminal is plain text, and not JSON", () => {
  const { lines, log } = logInto({}, true);
  log.warn("slow", { ms: 12, name: "a" });
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn {2}slow {2}ms=12 name=a\n$/);
});

test("log lines below the configured level are omitted", () => {
  const { lines, log } = logInto({ logLevel: "error" });
  log.warn("not this");
  log.error("this");
  expect(lines).toHaveLength(1);
});

test("an error is logged with its type, message, stack and cause", () => {
  const { lines, log } = logInto({});
  log.error("a request failed", { error: new Error("outer", { cause: new Error("inner") }) });
  expect(lines[0]).toContain("inner");
  expect(JSON.parse(lines[0] ?? "").error).toMatchObject({ type: "Error", stack: expect.any(String) });
});

test.each([true, false])(
  "secrets are masked everywhere in a log line (formatted for people: %p)",
  (isTTY) => {
    const { lines, log } = logInto({ apiKey: "the-key" }, isTTY);
    log.error("tried the-key", {
      headers: { authorization: "Bearer abc.def-123" },
      url: "https://user:hunter2@host/path",
      error: new Error("key the-key is wrong"),
    });
    const written = lines.join("");
    for (const secret of ["the-key", "abc.def-123", "hunter2"]) expect(written).not.toContain(secret);
    expect(written).toContain("********");
  },
);
