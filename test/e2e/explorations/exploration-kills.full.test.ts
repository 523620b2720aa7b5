/**
 * Tests an exploration that presses controls, and whose node is killed ten times. Other nodes must finish it
 * with the same map, and must not press a control again that was pressed before.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import type { Cairn } from "../support/cairn-test-process.ts";
import { ProcessCluster } from "../support/cluster-of-cairn-processes.ts";
import { untilMapIsIdle } from "../support/wait-for-idle-map.ts";

setDefaultTimeout(900_000);
const KILLS = 10;
const PAGES = ["Stock", "Sales", "Staff", "Sites"];
const CHECKS = 12;
/**
 * The site delays its answer to a press by this number of milliseconds. A run then takes long enough for ten
 * kills.
 */
const SLOW = 700;

/**
 * A site whose pages have two tabs, a dialog, and controls without effect. An exploration should press such a
 * control once. Each press sends a request, whose cookie shows in which attempt of the exploration it was
 * sent.
 */
function checkedSite(): ScriptedSite {
  const page = (title: string) => {
    const checks = Array.from(
      { length: CHECKS },
      (_, at) =>
        `<button type="button" onclick="fetch('/checked/${title}/${at}?' + document.cookie)">${title} check ${"ABCDEFGHIJKL"[at]}</button>`,
    );
    const groups = [0, 4, 8].map((from) => `<p>${checks.slice(from, from + 4).join("")}</p>`);
    return html(
      title,
      `<header><nav>${PAGES.map((name) => `<a href="/${name}">${name}</a>`).join(" ")}</nav></header><h1>${title}</h1>
      <div role="tablist"><button type="button" role="tab" id="a" aria-selected="true">${title} summary</button><button type="button" role="tab" id="b" aria-selected="false">${title} history</button></div>
      <section id="pa"><h2>Summary of ${title}</h2></section><section id="pb" hidden><h2>History of ${title}</h2><input aria-label="Year"></section>
      <button type="button" id="open">Explain ${title}</button>
      <div id="d" role="dialog" aria-modal="true" hidden style="position:fixed;inset:0;background:#fff"><h2>About ${title}</h2><button type="button" id="close">Close</button></div>
      ${groups.join("")}<script>
      if (document.cookie === "") document.cookie = "attempt=" + crypto.randomUUID() + "; path=/";
      const show = (on) => { pa.hidden = on; pb.hidden = !on; a.setAttribute("aria-selected", String(!on)); b.setAttribute("aria-selected", String(on)); };
      a.onclick = () => show(false); b.onclick = () => show(true);
      document.getElementById("open").onclick = () => { d.hidden = false; };
      document.getElementById("close").onclick = () => { d.hidden = true; };
      </script>`,
    );
  };
  return serveSite({
    ...Object.fromEntries(PAGES.map((name) => [`/${name}`, page(name)])),
    "/": page("Stock"),
    "*": async () => {
      await Bun.sleep(SLOW);
      return new Response(null, { status: 204 });
    },
  });
}

let cluster: ProcessCluster;
let home: Cairn;
const sites: ScriptedSite[] = [];

const startWorker = () => cluster.start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" });

beforeAll(async () => {
  cluster = await ProcessCluster.start();
  home = await cluster.start({ CAIRN_ROLES: "gateway,compute" });
});
afterAll(async () => {
  await cluster?.close();
  for (const site of sites) await site.stop();
});

interface Explored {
  readonly transitions: readonly string[];
  /**
   * The controls whose press had no effect, one list for each attempt of the exploration. A new attempt
   * begins after a kill of its node, or when the exploration moves to another node.
   */
  readonly attempts: readonly (readonly string[])[];
}

async function explore(job: string, kills: number): Promise<Explored> {
  const site = checkedSite();
  sites.push(site);
  let workers = [await startWorker(), await startWorker()];
  await home.call("start_knowledge_exploration", {
    start_url: site.url("/Stock"),
    mode: "interactive",
    max_actions: 1_000,
    max_seconds: 3_600,
    knowledge_id: job,
    job_id: job,
  });
  const checked = () => site.requests.filter((path) => path.startsWith("/checked/"));
  let before = 0;
  for (let killed = 0; ; ) {
    const { body } = await home.get(`/api/knowledge/explore/status/${job}`);
    if (["completed", "failed", "cancelled"].includes(body.status)) {
      expect(body).toMatchObject({ status: "completed", error: null });
      expect(killed).toBe(kills);
      break;
    }
    const host =
      killed < kills && checked().length > before
        ? await cluster.hostOf("exploration", job, home)
        : undefined;
    if (host) {
      await cluster.kill(host);
      before = checked().length;
      killed += 1;
      workers = [...workers.filter((cairn) => cairn !== host), await startWorker()];
    }
    await Bun.sleep(50);
  }
  await untilMapIsIdle(home, job);
  const { body } = await home.get(`/api/knowledge/${job}/export`);
  const names = new Map<string, string>(
    body.screens.map(({ screen_id, name }: { screen_id: string; name: string }) => [screen_id, name]),
  );
  const transitions = body.transitions.map(
    ({ from, to }: { from: string; to: string }) => `${names.get(from)} | ${names.get(to)}`,
  );
  for (const worker of workers) await cluster.stop(worker);
  const byAttempt = Map.groupBy(checked(), (path) => path.split("?")[1] ?? "");
  const attempts = [...byAttempt.values()].map((paths) => paths.map((path) => path.split("?")[0] ?? ""));
  return { transitions: [...new Set<string>(transitions)].sort(), attempts };
}

test("an exploration whose node is killed ten times is finished by other nodes with the same map, and repeats no press", async () => {
  const undisturbed = await explore("undisturbed", 0);
  expect(undisturbed.attempts.flat().toSorted()).toEqual([...new Set(undisturbed.attempts.flat())].sort());
  expect(undisturbed.attempts.flat()).toHaveLength(PAGES.length * CHECKS);
  const { transitions, attempts } = await explore("moved", KILLS);
  expect(transitions).toEqual(undisturbed.transitions);
  for (const attempt of attempts) expect(attempt).toHaveLength(new Set(attempt).size);
  // A kill may happen before the result of a press is stored. The next attempt then repeats this press, so
  // each kill allows one more press.
  const pressed = attempts.flat();
  expect(new Set(pressed).size).toBe(PAGES.length * CHECKS);
  expect(pressed.length).toBeLessThanOrEqual(PAGES.length * CHECKS + attempts.length - 1);
});
