import { expect, test } from "bun:test";
import { serveOnUnusedPort } from "./serve-on-unused-port.ts";

test("a server of a test gets no port that an earlier server of the process had", () => {
  const first = serveOnUnusedPort(() =>
    Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() }),
  );
  const port = first.port ?? 0;
  first.stop(true);
  let starts = 0;
  const second = serveOnUnusedPort(() =>
    Bun.serve({ hostname: "127.0.0.1", port: starts++ === 0 ? port : 0, fetch: () => new Response() }),
  );
  expect([starts > 1, second.port === port]).toEqual([true, false]);
  second.stop(true);
});
