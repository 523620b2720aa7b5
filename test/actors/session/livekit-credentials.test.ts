import { describe, expect, test } from "bun:test";
import { createDestinations } from "../../../actors/egress/index.ts";
import {
  assertServerAllowed,
  type LiveKitRequest,
  requestedAccess,
} from "../../../actors/session/livekit-credentials.ts";

const settings = { url: "wss://own.test", key: "key", secret: "secret" };
const request = (given: Partial<LiveKitRequest>): LiveKitRequest => ({ fps: 10, ...given });

describe("the LiveKit access that is requested for a session", () => {
  test("comes from the settings if the request has none, and does not exist without settings", () => {
    expect(requestedAccess(request({}), settings)).toEqual({
      url: "wss://own.test",
      credentials: { key: "key", secret: "secret" },
      isForeign: false,
    });
    expect(requestedAccess(request({}), {})).toBeUndefined();
    expect(requestedAccess(request({}), { url: "wss://own.test" })).toBeUndefined();
  });

  test("prefers a token to a key and secret", () => {
    const access = requestedAccess(request({ token: "t", key: "k", secret: "s" }), settings);
    expect(access).toEqual({ url: "wss://own.test", credentials: { token: "t" }, isForeign: false });
  });

  test("contains the secret of the settings only for the server of the settings", () => {
    expect(requestedAccess(request({ url: "https://own.test/" }), settings)?.isForeign).toBe(false);
    expect(() => requestedAccess(request({ url: "wss://other.test" }), settings)).toThrow("no credentials");
  });

  test.each<[string, Partial<LiveKitRequest>]>([
    ["a key without its secret", { url: "wss://a.test", key: "k" }],
    ["a secret without its key", { url: "wss://a.test", secret: "s" }],
    ["a token without a server", { token: "t" }],
    ["an address with the scheme ftp", { url: "ftp://a.test", token: "t" }],
    ["an invalid address", { url: "livekit", token: "t" }],
  ])("is refused if the request has %s", (_, given) => {
    expect(() => requestedAccess(request(given), {})).toThrow(
      expect.objectContaining({ code: "video.incomplete", status: 422 }),
    );
  });
});

describe("a LiveKit server that a caller names", () => {
  const allowed = (url: string, addresses: readonly string[], isForeign = true): Promise<void> =>
    assertServerAllowed(
      { url, credentials: { token: "t" }, isForeign },
      createDestinations({
        policy: { loopback: false, allowPrivate: [] },
        lookup: async () => addresses,
      }),
    );

  test("is refused if its name resolves to a private address", async () => {
    const refused = expect.objectContaining({ code: "egress.refused", status: 403 });
    expect(allowed("wss://inside.test", ["10.1.2.3"])).rejects.toEqual(refused);
    expect(allowed("ws://inside.test:7880", ["127.0.0.1"])).rejects.toEqual(refused);
    expect(allowed("ws://169.254.169.254", [])).rejects.toEqual(refused);
  });

  test("is allowed if its address is public", async () => {
    await allowed("wss://outside.test", ["203.0.113.9", "8.8.8.8"]);
  });

  test("is not checked if the operator has configured it", async () => {
    await allowed("ws://10.0.0.1:7880", [], false);
  });
});
