/**
 * Tests how pages about projects are grouped into screens: lists, reports, settings, and forms for new items.
 */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { paths } from "./screen-group-test-pages.ts";

const projects = ["harbor", "museum", "orchard"];

/** Creates a page with 10 features of the site, and with 30 features for each of the given parts. */
function page(path: string, name: string, ...parts: readonly string[]): ScreenInstance {
  const features = Array.from({ length: 10 }, (_, at) => `site ${at}`);
  for (const part of parts) for (let at = 0; at < 30; at++) features.push(`${part} ${at}`);
  return {
    screen_id: path,
    url: `https://a.example${path}`,
    name,
    structure: sketchOf(features),
    site_wide: false,
  };
}

/** The pages that every project of this site has, such as its files and its wiki. */
const functions = projects.flatMap((project) => [
  page(`/projects/${project}/files`, `Files - ${project}`, "files"),
  page(`/projects/${project}/wiki`, `Wiki - ${project}`, "wiki"),
  page(`/projects/${project}/roadmap`, `Roadmap - ${project}`, "roadmap"),
  page(`/projects/${project}/settings`, `Settings - ${project}`, "general settings"),
]);

const groupWith = (path: string, ...pages: readonly ScreenInstance[]) =>
  paths(...functions, ...pages).find((group) => group.split(" ").includes(path));

test("a list of all projects (/issues) is on the same screen as the lists of single projects if they have the same title", () => {
  const lists = projects.map((project) =>
    page(`/projects/${project}/issues`, `Issues - ${project}`, "issues", "menu of projects"),
  );
  const all = page("/issues", "Issues", "issues");
  expect(groupWith("/issues", ...lists, all)).toContain("/projects/museum/issues");
  const other = page("/issues", "Problems of the machine", "issues");
  expect(groupWith("/issues", ...lists, other)).toBe("/issues");
});

test("each panel of the project settings is one screen, which all projects share", () => {
  const panels = ["members", "boards", "versions", "categories", "activities", "tracking"];
  const pages = projects.flatMap((project) =>
    panels.map((panel) =>
      page(`/projects/${project}/settings/${panel}`, `Settings - ${project}`, "settings", "tabs", panel),
    ),
  );
  expect(groupWith("/projects/harbor/settings/boards", ...pages)).toBe(
    projects.map((project) => `/projects/${project}/settings/boards`).join(" "),
  );
});

test("a report (/issues/report) and its details (/issues/report/author) are two screens", () => {
  const pages = projects.flatMap((project) => [
    page(`/projects/${project}/issues`, project, "list"),
    page(`/projects/${project}/issues/report`, project, "issues", "tabs", "report"),
    page(`/projects/${project}/issues/report/author`, project, "issues", "tabs", "detail"),
    page(`/projects/${project}/issues/report/tracker`, project, "issues", "tabs", "detail"),
  ]);
  expect(groupWith("/projects/harbor/issues/report", ...pages)).toBe(
    projects.map((project) => `/projects/${project}/issues/report`).join(" "),
  );
});

test("the form for a new item is a screen of its own, unless its structure is that of an item", () => {
  const items = ["roof", "pump", "lamp", "well", "gate", "barn"].map((name) =>
    page(`/help/${name}`, name, "item", "frame"),
  );
  expect(groupWith("/help/new", ...items, page("/help/new", "New", "frame", "form"))).toBe("/help/new");
  expect(groupWith("/help/add", ...items, page("/help/add", "add", "item", "frame"))).toContain("/help/roof");
});
