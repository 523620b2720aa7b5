/** Serves component libraries from their npm packages as part of a test's own site. */
import { join } from "node:path";
import type { SessionStage } from "../session/session-in-shared-test-browser.ts";

const MODULES = join(import.meta.dir, "../../../../node_modules");

export interface Library {
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** Modules that are bundled before they are served, because they import other modules by package name. */
  readonly module?: string;
}

export const libraries = {
  tomSelect: {
    scripts: ["tom-select/dist/js/tom-select.complete.js"],
    styles: ["tom-select/dist/css/tom-select.css"],
  },
  choices: {
    scripts: ["choices.js/public/assets/scripts/choices.js"],
    styles: ["choices.js/public/assets/styles/choices.css"],
  },
  datepicker: {
    scripts: ["vanillajs-datepicker/dist/js/datepicker-full.js"],
    styles: ["vanillajs-datepicker/dist/css/datepicker.css"],
  },
  quill: { scripts: ["quill/dist/quill.js"], styles: ["quill/dist/quill.snow.css"] },
  coreui: {
    scripts: ["@coreui/coreui/dist/js/coreui.bundle.js"],
    styles: ["@coreui/coreui/dist/css/coreui.css"],
  },
  material: { module: "@material/web/all.js" },
  slimSelect: {
    scripts: ["slim-select/dist/slimselect.js"],
    styles: ["slim-select/dist/slimselect.css"],
  },
  jqueryUi: {
    scripts: ["jquery/dist/jquery.js", "jquery-ui/dist/jquery-ui.js"],
    styles: ["jquery-ui/dist/themes/base/jquery-ui.css"],
  },
  fluent: { module: "@fluentui/web-components/dist/web-components.min.js" },
} as const satisfies Readonly<Record<string, Library>>;

/** Returns the head of a page that loads a library. The test's own site serves the library's files. */
export async function headOf(
  { site }: SessionStage,
  { scripts = [], styles = [], module }: Library,
): Promise<string> {
  const serve = (path: string, type: string, body: () => Promise<BodyInit>): string => {
    site.routes.set(
      `/${path}`,
      async () => new Response(await body(), { headers: { "content-type": type } }),
    );
    return `/${path}`;
  };
  const file = (path: string) => () => Bun.file(join(MODULES, path)).bytes();
  const parts = [
    ...styles.map((path) => `<link rel="stylesheet" href="${serve(path, "text/css", file(path))}">`),
    ...scripts.map((path) => `<script src="${serve(path, "text/javascript", file(path))}"></script>`),
  ];
  if (module !== undefined) {
    const built = await Bun.build({ entrypoints: [join(MODULES, module)], target: "browser" });
    const [output] = built.outputs;
    if (!output) throw new Error(`${module} was not bundled.`);
    const code = await output.text();
    const path = serve(module, "text/javascript", async () => code);
    parts.push(`<script type="module" src="${path}"></script>`);
  }
  return parts.join("\n");
}
