import { expect, test } from "bun:test";
import { urlKey } from "../../../machines/exploration/normalise-url.ts";
import { Atlas } from "../../../machines/knowledge/atlas.ts";
import { screenIdOf } from "../../../machines/knowledge/screen-id.ts";

function atlas(...urls: readonly string[]): Atlas {
  const made = new Atlas();
  made.change({
    screens: urls.map((url) => ({
      screen_id: screenIdOf(urlKey(url)),
      website_id: "w",
      name: url,
      url,
      content_type: "web_ui",
      is_actionable: true,
      url_patterns: [],
      trail: "",
    })),
    transitions: [],
    redirects: [],
  });
  return made;
}

test("resolves a position on an application's screen to that screen, unless it has one of its own", () => {
  const app = atlas("https://a.test/", "https://a.test/#/guide", "https://a.test/#/list?page=2");
  const at = (url: string) => app.byUrl(url)?.url;
  expect(at("https://a.test/#/guide?id=set-up")).toBe("https://a.test/#/guide");
  expect(at("https://a.test/#/?id=welcome")).toBe("https://a.test/");
  expect(at("https://a.test/#/list?page=2")).toBe("https://a.test/#/list?page=2");
  expect(at("https://a.test/#/list?page=3")).toBeUndefined();
  expect(at("https://a.test/search?q=x")).toBeUndefined();
});
