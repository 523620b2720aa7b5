/**
 * Pages of third-party dashboards and widget libraries for the bench of lists. Their packages are installed
 * from npm once, outside of the repository (`CAIRN_BENCH_WIDGETS`, by default a temporary folder). The demo
 * pages of a package are used if it has any, otherwise a page with the library's usual first example.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveFolder } from "../../sites/serve-test-folder.ts";
import { html, serveSite } from "../../sites/test-site-with-given-routes.ts";

const packages = {
  apexcharts: "4.7.0",
  "chart.js": "4.6.1",
  dygraphs: "2.2.2",
  echarts: "6.1.0",
  gentelella: "4.2.0",
  gridstack: "14.1.0",
  highcharts: "13.1.1",
  "morris.js": "0.5.0",
  nvd3: "1.8.6",
  "plotly.js-dist-min": "4.1.2",
  "startbootstrap-sb-admin-2": "4.1.4",
  "tabulator-tables": "6.5.3",
  uikit: "3.25.29",
  "vis-timeline": "8.5.4",
} as const;

/** Folders in `node_modules` with demo pages, and the names of the used pages. */
const DEMOS: Readonly<Record<string, string>> = {
  "gentelella/dist/production":
    "index index2 index3 index4 calendar chartjs e_commerce echarts file_manager form form_advanced form_wizards general_elements inbox kanban map orders other_charts settings tables_dynamic user_management widgets",
  "startbootstrap-sb-admin-2": "index charts tables buttons cards login",
  "uikit/tests": "accordion dropdown filter form modal navbar slider sortable switcher tab tooltip",
  "dygraphs/_site/tests": "annotation callback demo crosshair",
  "morris.js/examples": "area bar donut events",
};

/**
 * For each library without demo pages, a typical first example: scripts, code and styles. The code draws the
 * widget into `w`, an empty element with this id.
 */
const EXAMPLES: Readonly<Record<string, readonly [scripts: string, code: string, styles?: string]>> = {
  "echarts on canvas": [
    "/echarts/dist/echarts.min.js",
    `echarts.init(w).setOption({ legend: {}, tooltip: {}, xAxis: { data: ["a", "b", "c"] }, yAxis: {}, series: [{ name: "One", type: "bar", data: [1, 2, 3] }, { name: "Two", type: "line", data: [2, 1, 3] }] })`,
  ],
  "echarts as svg": [
    "/echarts/dist/echarts.min.js",
    `echarts.init(w, null, { renderer: "svg" }).setOption({ legend: {}, tooltip: {}, series: [{ type: "pie", data: [..."abcdefgh"].map((name, at) => ({ name, value: at + 1 })) }] })`,
  ],
  highcharts: [
    "/highcharts/highcharts.js",
    `Highcharts.chart(w, { title: { text: "Sales" }, series: [{ name: "One", data: [...Array(30).keys()] }, { name: "Two", type: "column", data: [...Array(30).keys()].map((x) => 30 - x) }] })`,
  ],
  "highcharts with accessibility": [
    "/highcharts/highcharts.js /highcharts/modules/accessibility.js",
    `Highcharts.chart(w, { chart: { type: "pie" }, title: { text: "Shares" }, series: [{ name: "One", data: [..."abcdefghij"].map((name, y) => ({ name, y: y + 1 })) }] })`,
  ],
  "chart.js": [
    "/chart.js/dist/chart.umd.min.js",
    `const c = document.createElement("canvas"); w.append(c); new Chart(c, { type: "bar", data: { labels: ["a", "b"], datasets: [{ label: "One", data: [1, 2] }] } })`,
  ],
  "plotly lines": [
    "/plotly.js-dist-min/plotly.min.js",
    `Plotly.newPlot(w, [{ y: [1, 3, 2, 5], name: "One" }, { y: [2, 1, 4, 3], name: "Two" }], { title: { text: "Lines" } })`,
  ],
  "plotly pie": [
    "/plotly.js-dist-min/plotly.min.js",
    `Plotly.newPlot(w, [{ type: "pie", values: [1, 2, 3, 4, 5, 6], labels: [..."abcdef"] }])`,
  ],
  "apexcharts line": [
    "/apexcharts/dist/apexcharts.min.js",
    `new ApexCharts(w, { chart: { type: "line", height: 400 }, series: [{ name: "One", data: [...Array(20).keys()] }, { name: "Two", data: [...Array(20).keys()].map((x) => 20 - x) }], markers: { size: 4 } }).render()`,
  ],
  "apexcharts heatmap": [
    "/apexcharts/dist/apexcharts.min.js",
    `new ApexCharts(w, { chart: { type: "heatmap", height: 400 }, series: [..."abcdefgh"].map((name, row) => ({ name, data: [...Array(20).keys()].map((x) => ({ x, y: x * row })) })) }).render()`,
  ],
  "apexcharts treemap": [
    "/apexcharts/dist/apexcharts.min.js",
    `new ApexCharts(w, { chart: { type: "treemap", height: 400 }, series: [{ data: [..."abcdefghijkl"].map((x, y) => ({ x, y: y + 1 })) }] }).render()`,
  ],
  tabulator: [
    "/tabulator-tables/dist/js/tabulator.min.js",
    `new Tabulator(w, { data: [...Array(20).keys()].map((id) => ({ id, name: "Name " + id, age: id * 2 })), columns: [{ title: "Name", field: "name", headerFilter: true }, { title: "Age", field: "age", editor: "number" }], pagination: true, paginationSize: 10 })`,
    "/tabulator-tables/dist/css/tabulator.min.css",
  ],
  "vis-timeline": [
    "/vis-timeline/standalone/umd/vis-timeline-graph2d.min.js",
    `new vis.Timeline(w, [...Array(12).keys()].map((id) => ({ id, content: "Item " + id, start: "2024-04-" + (id + 10) })), {})`,
    "/vis-timeline/styles/vis-timeline-graph2d.min.css",
  ],
  gridstack: [
    "/gridstack/dist/gridstack-all.js",
    `GridStack.addGrid(w, { children: [...Array(6).keys()].map((id) => ({ w: 4, h: 2, content: "Card " + id })) })`,
    "/gridstack/dist/gridstack.min.css",
  ],
};

export interface WidgetPages {
  readonly pages: readonly (readonly [library: string, name: string, url: string])[];
  stop(): Promise<void>;
}

function install(): string {
  const folder = process.env.CAIRN_BENCH_WIDGETS ?? join(tmpdir(), "cairn-bench-widgets");
  const modules = join(folder, "node_modules");
  mkdirSync(folder, { recursive: true });
  if (Object.keys(packages).every((name) => existsSync(join(modules, name)))) return modules;
  console.log(`installing the widget libraries of the bench in ${folder} (once) …`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
  const { status } = spawnSync(
    "npm",
    ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"],
    { stdio: "inherit" },
  );
  if (status !== 0) throw new Error("npm could not install the libraries; they need the npm registry once.");
  return modules;
}

export function serveWidgetPages(): WidgetPages {
  const folder = serveFolder(install());
  const { origin } = folder;
  const own = serveSite({});
  const demos = Object.entries(DEMOS).flatMap(([path, names]) =>
    names
      .split(" ")
      .map((name) => [path.split("/")[0] ?? "", name, `${origin}/${path}/${name}.html`] as const),
  );
  const examples = Object.entries(EXAMPLES).map(([name, [scripts, code, styles]], at) => {
    const head = `${scripts
      .split(" ")
      .map((src) => `<script src="${origin}${src}"></script>`)
      .join("")}${styles ? `<link rel="stylesheet" href="${origin}${styles}">` : ""}`;
    own.routes.set(
      `/${at}`,
      html(
        name,
        `<div id="w" style="width: 900px; height: 450px"></div><script>const w = document.getElementById("w"); ${code}</script>`,
        head,
      ),
    );
    return [name.split(" ")[0] ?? "", name, own.url(`/${at}`)] as const;
  });
  return {
    pages: [...demos, ...examples],
    async stop() {
      own.stop();
      await folder.stop();
    },
  };
}
