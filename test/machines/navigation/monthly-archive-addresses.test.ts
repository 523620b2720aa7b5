/** Tests which link of an archive leads to the same list in an earlier month. */
import { expect, test } from "bun:test";
import { earlierMonth } from "../../../machines/navigation/monthly-archive-addresses.ts";

const BASE = "https://lists.example";
const links = (...paths: readonly string[]) => paths.map((path) => ({ url: BASE + path }));

test.each([
  ["/arc/talk/2026-11/thrd1.html", "/arc/talk/2026-10/", "/arc/talk/2026-08/", "2026-10"],
  ["/list/talk/2026/11/", "/list/talk/2026/9/", "/list/talk/2025/12/", "2026-09"],
  ["/pipermail/talk/2026-January/thread.html", "/pipermail/talk/2025-December/thread.html", "/x", "2025-12"],
  ["/blog/202611/", "/blog/202607/", "/blog/202612/", "2026-07"],
])(
  "the link from the archive list %s to the list of an earlier month is %s",
  (address, earlier, other, month) => {
    expect(earlierMonth(BASE + address, links(other, earlier))).toEqual({ url: BASE + earlier, month });
  },
);

test.each([
  ["content of an earlier month", "/2026/11/", "/2026/10/a-wet-autumn/"],
  ["another list", "/arc/talk/2026-11/", "/arc/news/2026-10/"],
  ["a later month", "/2026/11/", "/2026/12/"],
  ["a list without a month", "/forum/7", "/2026/10/"],
])("a link to %s does not count as the link to the list of an earlier month", (_, address, other) => {
  expect(earlierMonth(BASE + address, links(other))).toBeNull();
});
