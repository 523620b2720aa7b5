/**
 * A generated forum: boards, topics with posts, people, a search and a sign-in. More topics can be opened
 * later.
 */
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";

const people = ["ada", "bela", "cora", "dora"];
const boards = ["news", "help", "market"];

export interface Forum extends ScriptedSite {
  open(topics: number): void;
}

export function forum(topics: number): Forum {
  let last = topics;
  const frame = (title: string, kind: string, body: string) =>
    html(
      `${title} - Stones`,
      `<header class="top"><a class="logo" href="/">Stones</a><nav class="menu"><a href="/boards">Boards</a>
       <a href="/people">People</a><a href="/search">Search</a><a href="/signin">Sign in</a></nav></header>
       <main class="${kind}"><h1>${title}</h1>${body}</main><footer class="bottom"><p>Made of stones.</p></footer>`,
    );
  const link = (path: string, text: string) => `<a class="link" href="${path}">${text}</a>`;
  const board = (at: number) => boards[at % boards.length] ?? "news";
  const author = (at: number) => people[at % people.length] ?? "ada";
  const rows = (some: readonly number[]) =>
    `<ul class="rows">${some.map((at) => `<li class="row"><h2 class="row-title">${link(`/topics/${at}`, `Stone number ${at}`)}</h2><span class="by">${author(at)}</span></li>`).join("")}</ul>`;
  const numbers = () => Array.from({ length: last }, (_, at) => at + 1);
  const form = (name: string, fields: string, action: string) =>
    `<form class="${name}" action="${action}"><fieldset class="fields">${fields}</fieldset><button class="go">${name}</button></form>`;
  const site = serveSite({
    "/": () =>
      frame(
        "Welcome",
        "home",
        `<section class="hero"><p>All about stones.</p></section>${rows(numbers().slice(0, 3))}`,
      ),
    "/boards": () =>
      frame(
        "Boards",
        "boards",
        `<ol class="tiles">${boards.map((name) => `<li class="tile">${link(`/boards/${name}`, name)}<b class="count">3</b></li>`).join("")}</ol>`,
      ),
    "/people": frame(
      "People",
      "people",
      `<table class="people-table"><tr><th>Name</th><th>Joined</th></tr>${people.map((name) => `<tr><td>${link(`/people/${name}`, name)}</td></tr>`).join("")}</table>`,
    ),
    "/search": frame("Search", "search", form("search", '<label>Words <input name="q"></label>', "/search")),
    "/signin": frame(
      "Sign in",
      "signin",
      form(
        "signin",
        '<label>Name <input name="name"></label><label>Secret <input type="password" name="secret"></label>',
        "/signin",
      ),
    ),
    "*": (request) => {
      const { pathname } = new URL(request.url);
      const [, kind, name = ""] = pathname.split("/");
      if (kind === "boards" && boards.includes(name)) {
        const own = numbers().filter((at) => board(at) === name);
        return frame(
          `Board ${name}`,
          "board",
          `<aside class="about"><p>About ${name}</p></aside>${rows(own)}<div class="tools"><button class="new">New topic</button></div>`,
        );
      }
      if (kind === "people" && people.includes(name)) {
        return frame(
          name,
          "person",
          `<dl class="facts"><dt>Joined</dt><dd>2031</dd></dl><div class="card"><button class="follow">Follow</button></div>`,
        );
      }
      const at = Number(name);
      if (kind === "topics" && at >= 1 && at <= last) {
        const posts = Array.from(
          { length: 1 + (at % 4) },
          (_, post) =>
            `<article class="post"><header class="post-head">${link(`/people/${author(at + post)}`, author(at + post))}</header><div class="post-text"><p>Text ${at} ${post}</p><p>More of it.</p></div></article>`,
        );
        return frame(
          `Stone number ${at}`,
          "topic",
          `${posts.join("")}<div class="answer"><textarea name="text"></textarea><button class="reply">Reply</button></div>`,
        );
      }
      return new Response("not found", { status: 404, headers: { "content-type": "text/html" } });
    },
  });
  return Object.assign(site, {
    open: (more: number) => {
      last = more;
    },
  });
}
