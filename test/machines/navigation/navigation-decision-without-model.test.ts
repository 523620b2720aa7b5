/**
 * Tests which links of a listing are chosen without a model. Threads come before boards, and all links to
 * messages of one thread count as one link.
 */
import { expect, test } from "bun:test";
import { readIntent } from "../../../machines/navigation/intent-of-prompt.ts";
import { rankLinks } from "../../../machines/navigation/navigation-decision-without-model.ts";
import type {
  EvidenceRow,
  PageEvidence,
} from "../../../machines/navigation/page-facts-for-navigation-run.ts";
import { isReply, subjectOf } from "../../../machines/navigation/subject-of-reply.ts";

const at = (path: string) => `https://a.example${path}`;
const row = (path: string, title: string, date: string | null = null): EvidenceRow => ({
  url: at(path),
  title,
  date,
  text: title,
});
const listing = (...rows: readonly EvidenceRow[]): PageEvidence => ({
  url: at("/forum/"),
  title: "Forum",
  headings: [],
  content: "",
  links: [],
  posts: [],
  rows,
  posts_text: 0,
  rows_text: 0,
  plain: null,
  text: 100,
  link_share: 0.4,
  walled: false,
  answerable: false,
  message: false,
  published: null,
  authors: [],
  declared: [],
  breadcrumbs: [],
  next: null,
  earlier: null,
  subject: null,
});
const intent = readIntent("What do people say about Marel in the forum", 0);
const urls = (page: PageEvidence, since: string | null = null) =>
  rankLinks(page, intent, since).map(({ url }) => url);

test("a navigation run reads the newest matching threads on a front page first, and then its boards", () => {
  const page = listing(
    row("/topic/7/", "Marel results"),
    row("/topic/8/", "Cats and dogs"),
    row("/category/1/", "Makers and shops"),
    row("/category/2/", "Small talk"),
  );
  expect(urls(page)).toEqual([at("/topic/7/"), at("/category/1/"), at("/category/2/")]);
});

test("a navigation run follows only the board that has the name of the topic", () => {
  const page = listing(
    row("/category/1/", "Marel"),
    row("/category/2/", "Small talk"),
    row("/topic/7/", "Cats"),
  );
  expect(urls(page)).toEqual([at("/category/1/")]);
});

test("the rarest word of the topic decides which link of a list is followed first", () => {
  const rows = [
    ["tomllib", "tomllib — Parse TOML files"],
    ["configparser", "configparser — Configuration file parser"],
    ["plistlib", "plistlib — Generate and parse Apple .plist files"],
    ["fileformats", "File Formats"],
    ["csv", "csv — CSV File Reading and Writing"],
    ["parser", "How the parser of the language parses a file"],
  ].map(([name = "", title = ""]) => row(`/library/${name}.html`, title));
  const best = (prompt: string) => rankLinks(listing(...rows), readIntent(prompt, 0), null)[0]?.url;
  expect(best("how do I parse csv files")).toBe(at("/library/csv.html"));
  expect(best("parse a TOML file")).toBe(at("/library/tomllib.html"));
  expect(best("a parser for files of the language")).toBe(at("/library/parser.html"));
});

test("messages with one subject count as one thread with the newest date of the messages", () => {
  const page = listing(
    row("/msg3.html", "Re: Marel results", "2026-11-20"),
    row("/msg2.html", "AW: [list] Marel results", "2026-11-10"),
    row("/msg1.html", "Marel results", "2026-10-01"),
    row("/msg4.html", "Marel in old times", "2020-01-01"),
  );
  expect(rankLinks(page, intent, "2026-11-01")).toMatchObject([
    { url: at("/msg1.html"), detected_date: "2026-11-20", members: [at("/msg3.html"), at("/msg2.html")] },
  ]);
});

test("a reply is recognised by the prefix of its subject, even after the name of a mailing list", () => {
  expect(["Re: A", "[users] AW: A", "Fwd: Re: A", "A", "Re-opened: A"].map(isReply)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(["Re: A b", "[users] AW: A  b", "Re: [users] A b"].map(subjectOf)).toEqual(["a b", "a b", "a b"]);
});
