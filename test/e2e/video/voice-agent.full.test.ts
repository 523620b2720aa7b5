/**
 * Runs the voice agent that the guide's page about video prints, with LiveKit Agents from PyPI, a real
 * LiveKit server and a scripted model. The agent must see the browser's video and act through Cairn's MCP
 * server.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { RealtimeModel } from "../../support/scripted-realtime-model.ts";
import { LiveKitServer, noLiveKit } from "../../support/test-livekit-server.ts";
import { VideoViewer } from "../../support/test-video-viewer.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { killTree } from "../support/process-tree.ts";

const run = promisify(execFile);
const TIMEOUT = 300_000;
setDefaultTimeout(TIMEOUT);
const ROOM = "spoken";
const GUIDE = join(import.meta.dirname, "../../../gateway/docs/guide/video.md");
const VENV = join(import.meta.dirname, "../../../node_modules/.cache/cairn/voice-agent");

const reason = noLiveKit() ?? (Bun.which("python3") ? undefined : "python3 is not installed");
if (reason) console.warn(`Skipping the test of the voice agent: ${reason}.`);

/** Installs the packages that the guide names for the example, and returns the path of Python. */
async function python(guide: string): Promise<string> {
  const path = join(VENV, "bin/python");
  if (!existsSync(join(VENV, "ready"))) {
    const packages = /`pip install ([^`]+)`/.exec(guide)?.[1]?.split(" ") ?? [];
    await run("python3", ["-m", "venv", VENV]);
    await run(path, ["-m", "pip", "install", "-q", ...packages.map((name) => name.replaceAll('"', ""))]);
    await writeFile(join(VENV, "ready"), "");
  }
  return path;
}

describe.skipIf(reason !== undefined)("the voice agent of the guide", () => {
  let site: ScriptedSite;
  let livekit: LiveKitServer;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let cairn: Cairn;
  let model: RealtimeModel;
  let agent: ChildProcess | undefined;
  let output = "";

  beforeAll(async () => {
    site = serveSite({
      "/red": html("Red", `<body style="background:#f00">`),
      "/blue": html("Blue", `<body style="background:#00f">`),
    });
    livekit = await LiveKitServer.start();
    data = await dataFolder();
    cairn = await Cairn.start({ data: data.path, env: livekit.env });
    model = new RealtimeModel();
    const guide = await readFile(GUIDE, "utf8");
    const example = /```python\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
    expect(example).toContain("https://docs.python.org/3/");
    const script = join(data.path, "agent.py");
    await writeFile(script, example.replace("https://docs.python.org/3/", site.url("/red")));
    agent = spawn(await python(guide), [script, "connect", "--room", ROOM], {
      env: {
        PATH: process.env.PATH,
        HOME: data.path,
        ...livekit.env,
        CAIRN_URL: cairn.url,
        OPENAI_API_KEY: "none",
        OPENAI_BASE_URL: model.url,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [agent.stdout, agent.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  });

  afterAll(async () => {
    if (agent?.pid) killTree(agent.pid);
    await cairn?.stop();
    await model?.close();
    await livekit?.close();
    await data?.remove();
    await site?.stop();
  });

  /** Returns the mean red and blue of an image, each from 0 to 255. */
  async function colourOf(image: Uint8Array): Promise<{ readonly red: number; readonly blue: number }> {
    // The package is optional, so it is imported only here. The test file can then be loaded without it.
    const { default: sharp } = await import("sharp");
    const { channels } = await sharp(image).stats();
    return { red: Math.round(channels[0]?.mean ?? 0), blue: Math.round(channels[2]?.mean ?? 0) };
  }

  /**
   * Waits until the model has received an image of the given colour. After the time limit, throws an error
   * with the colours of all received images.
   */
  async function seen(isColour: (red: number, blue: number) => boolean): Promise<void> {
    const colours: string[] = [];
    for (const deadline = Date.now() + TIMEOUT / 2; Date.now() < deadline; await Bun.sleep(200)) {
      for (const image of model.images.slice(colours.length)) {
        const { red, blue } = await colourOf(image);
        if (isColour(red, blue)) return;
        colours.push(`${red}/${blue}`);
      }
    }
    throw new Error(`No image of this colour. Red and blue of each image: ${colours.join(", ")}.`);
  }

  test("sees the browser, calls a tool of Cairn for its model, sees the effect and receives the events", async () => {
    const person = await VideoViewer.join(livekit, ROOM, "person");
    try {
      await seen((red, blue) => red > 150 && blue < 100);
      const action = { room_name: ROOM, action_type: "navigate", params: { url: site.url("/blue") } };
      model.callTool({ name: "execute_action", arguments: action });
      while (model.results.length === 0) await Bun.sleep(100);
      expect(model.tools).toContain("analyze_page");
      expect(model.results[0]).toContain(site.url("/blue"));
      await seen((red, blue) => blue > 150 && red < 100);
      while (!output.includes(`the page is ready: ${site.url("/blue")}`)) await Bun.sleep(100);
    } catch (error) {
      console.error(output);
      throw error;
    } finally {
      await person.close();
    }
  });
});
