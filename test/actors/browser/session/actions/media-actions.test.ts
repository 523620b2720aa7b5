/**
 * Tests actions on media players in a real Chromium. The state of the player shows whether an action had an
 * effect.
 */
import { expect, test } from "bun:test";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

/** Returns a WAV file of silence. Every build of Chromium can play this format. */
function wav(seconds: number, range: string | null): Response {
  const rate = 8_000;
  const bytes = Buffer.alloc(44 + rate * seconds, 128);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(rate * seconds, 40);
  // The server supports HTTP range requests, because without them a player cannot seek.
  const from = Number(/bytes=(\d+)-/.exec(range ?? "")?.[1] ?? 0);
  return new Response(bytes.subarray(from), {
    status: range === null ? 200 : 206,
    headers: {
      "content-type": "audio/wav",
      "accept-ranges": "bytes",
      ...(range === null ? {} : { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    },
  });
}

const stage = await stageOfTests({
  routes: { "/sound.wav": (request) => wav(30, request.headers.get("range")), "/broken.wav": "no sound" },
});

test("a video can be played, paused, sought and unmuted, and each action returns its state", async () => {
  await stage.show(`<video id="v" src="/sound.wav" width="400" height="200" controls></video>`);
  expect((await stage.act("play_video")).data).toMatchObject({ playing: true, paused: false, duration: 30 });
  expect(await stage.run("!v.paused && v.currentTime > 0")).toBe(true);
  expect((await stage.act("pause_video")).data).toMatchObject({ playing: false, paused: true });
  expect((await stage.act("pause_video")).data).toMatchObject({ effect: "nothing_changed" });
  expect((await stage.act("adjust_volume", { volume: 0.4 })).data).toMatchObject({ volume: 0.4 });
  expect((await stage.act("adjust_volume", { by: -0.1 })).data).toMatchObject({ volume: 0.3 });
  expect((await stage.act("toggle_mute")).data).toMatchObject({ muted: true });
  expect((await stage.act("toggle_mute", { muted: true })).data).toMatchObject({ effect: "nothing_changed" });
  expect(await stage.run("[v.volume.toFixed(1), v.muted].join()")).toBe("0.3,true");
  expect((await stage.act("seek_video", { seconds: 99 })).data).toMatchObject({ position: 30, wanted: 99 });
});

test("a media action uses the player around its element, or the largest player if no element is given", async () => {
  await stage.show(`<audio id="a" src="/sound.wav"></audio><div id="host"></div>
    <div class="player"><audio id="b" src="/sound.wav"></audio><button>Toggle</button></div>
    <script>host.attachShadow({ mode: "open" }).innerHTML = '<video src="/sound.wav" width="300" height="200"></video>'</script>`);
  await stage.act("toggle_mute");
  expect(await stage.run(`[a.muted, b.muted, host.shadowRoot.querySelector("video").muted].join()`)).toBe(
    "false,false,true",
  );
  const { highlight_index: index } = called(await stage.analyze(), "Toggle");
  await stage.act("toggle_mute", { index });
  expect(await stage.run("[a.muted, b.muted].join()")).toBe("false,true");
});

test.if(isFull)(
  "a media action fails if the page has no player, or a player that cannot play",
  async () => {
    await stage.show(`<audio src="/broken.wav"></audio>`);
    expect((await stage.act("play_video")).data).toMatchObject({
      code: "not_applied",
      reason: expect.any(String),
    });
    await stage.show("<p>Nothing</p>");
    expect((await stage.act("play_video")).data).toMatchObject({ code: "element_not_found" });
  },
  30_000,
);
