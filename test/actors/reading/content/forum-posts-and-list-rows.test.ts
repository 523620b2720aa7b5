/**
 * Tests that posts and rows are found in many kinds of HTML: tables, lists, definition lists, plain divs,
 * preformatted text.
 */
import { describe, expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/content/extract-page-from-html.ts";

const NOW = Date.UTC(2031, 4, 20, 12);

const POSTS = [
  {
    author: "ada_k",
    date: "2031-05-02",
    text: "The pump makes a noise since we moved it into the cellar, and I do not know why.",
  },
  {
    author: "Bert Olsen",
    date: "2031-05-04",
    text: "Mine did the same until I put rubber under its feet. Try that first, it costs 3 euros.",
  },
  {
    author: "ada_k",
    date: "2031-05-11",
    text: "Thanks, it is much better now, but at night one can still hear it in the kitchen.",
  },
  {
    author: "cora99",
    date: "2031-05-19",
    text: "Then it is the pipe. Ours hung on the wall with a metal hook, that was all.",
  },
] as const;
type WrittenPost = (typeof POSTS)[number];

/** Writes an ISO date in one of the formats `19 May 2031`, `May 19, 2031`, `05/19/2031` and `19.05.2031`. */
function written(date: string, form: "day" | "month" | "slash" | "dot" = "day"): string {
  const [year, month = "", day = ""] = date.split("-");
  const name = month === "05" ? "May" : month;
  return {
    day: `${Number(day)} ${name} ${year}`,
    month: `${name} ${Number(day)}, ${year}`,
    slash: `${month}/${day}/${year}`,
    dot: `${day}.${month}.${year}`,
  }[form];
}

function blocksOf(body: string, path = "/thread/5", head = "") {
  const html = `<!doctype html><html lang="en-US"><head><title>Noisy pump</title>${head}</head><body>
    <div id="top"><a href="/">Home</a> <a href="/search">Search</a> <a href="/login">Log in</a></div>
    ${body}
    <div id="bottom"><a href="/imprint">Imprint</a> <a href="/terms">Terms</a></div></body></html>`;
  const { blocks } = readPage({ url: `http://forum.example${path}`, html, blocks: true, now: NOW });
  if (!blocks) throw new Error("no blocks were read");
  return blocks;
}

const each = (render: (post: WrittenPost, index: number) => string) => POSTS.map(render).join("\n");

const threads: readonly (readonly [name: string, body: string])[] = [
  [
    "divs with classes, as in phpBB",
    `<h2 class="topic-title"><a href="./viewtopic.php?t=5">Noisy pump</a></h2><form id="quickmod">${each(
      (post, index) => `<div id="p${index}" class="post has-profile bg${(index % 2) + 1}"><div class="inner">
      <dl class="postprofile"><dt><div class="avatar-container"></div><a href="./memberlist.php?mode=viewprofile&u=${index}" class="username">${post.author}</a></dt><dd class="profile-rank">Member</dd><dd class="profile-posts"><strong>Posts:</strong> <a href="./search.php?author_id=${index}">${index + 12}</a></dd><dd class="profile-joined"><strong>Joined:</strong> Tue Jan 0${index + 1}, 2030 10:15 am</dd></dl>
      <div class="postbody"><h3><a href="./viewtopic.php?p=${index}#p${index}">Re: Noisy pump</a></h3><p class="author">Post by <strong><a href="./memberlist.php?mode=viewprofile&u=${index}" class="username">${post.author}</a></strong> » ${written(post.date, "day")}, 10:15</p><div class="content">${post.text}</div></div></div></div><hr class="divider">`,
    )}</form>`,
  ],
  [
    "a table of two cells, as in old boards",
    `<table width="100%"><tr><th>Author</th><th>Message</th></tr>${each(
      (post, index) =>
        `<tr><td valign="top"><b>${post.author}</b><br>Member<br>Posts: ${index + 3}<br>Registered: 0${index + 1}/15/2029</td><td>Posted: ${written(post.date, "slash")} 10:15 <a href="reply.asp?id=${index}">Quote</a><hr>${post.text}</td></tr>`,
    )}</table>`,
  ],
  [
    "two rows for a post, as in vBulletin 3",
    each(
      (post, index) =>
        `<table class="tborder" id="post${index}"><tr><td class="thead">${written(post.date, "month")}, 10:15 AM</td><td class="thead" align="right">#<a href="showpost.php?p=${index}">${index + 1}</a></td></tr><tr><td class="alt2" width="175"><a class="bigusername" href="member.php?u=${index}">${post.author}</a><div class="smallfont">Junior Member</div><div class="smallfont">Join Date: Jan 2030<br>Posts: ${index + 3}</div></td><td class="alt1"><div id="post_message_${index}">${post.text}</div></td></tr></table>`,
    ),
  ],
  [
    "one table in which rows alternate",
    `<table>${each(
      (post) =>
        `<tr class="head"><td>${post.author}</td><td>${written(post.date, "dot")}</td></tr><tr class="text"><td colspan="2">${post.text}</td></tr>`,
    )}</table>`,
  ],
  [
    "a definition list",
    `<dl>${each((post) => `<dt>${post.author}, ${written(post.date)}</dt><dd>${post.text}</dd>`)}</dl>`,
  ],
  [
    "divs without any class",
    `<div>${each(
      (post) =>
        `<div><div><b>${post.author}</b></div><div>${written(post.date, "month")}</div><div>${post.text}</div></div>`,
    )}</div>`,
  ],
  [
    "a list with the author in front",
    `<ul>${each(
      (post) =>
        `<li><strong>${post.author}</strong> <small>${written(post.date)}</small><p>${post.text}</p><a href="#reply">Reply</a></li>`,
    )}</ul>`,
  ],
  [
    "articles with time elements, as in Flarum and Discourse",
    each(
      (post, index) =>
        `<article class="Post" data-id="${index}"><header><ul><li><h3><a href="/u/${index}"><span class="username">${post.author}</span></a></h3></li><li><a href="/d/5/${index}"><time datetime="${post.date}T10:15:00Z">${index + 1} May</time></a></li></ul></header><div class="Post-body"><p>${post.text}</p></div><footer><button>Like</button></footer></article>`,
    ),
  ],
  [
    "articles with a footer for author and date, as comments in WordPress",
    `<ol class="comment-list">${each(
      (post, index) =>
        `<li id="comment-${index}" class="comment ${index % 2 === 0 ? "even" : "odd"} depth-1"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><b class="fn">${post.author}</b> <span class="says">says:</span></div><div class="comment-metadata"><a href="http://forum.example/thread/5#comment-${index}"><time datetime="${post.date}T10:15:00+00:00">${written(post.date, "month")} at 10:15 am</time></a></div></footer><div class="comment-content"><p>${post.text}</p></div><div class="reply"><a href="?replytocom=${index}">Reply</a></div></article></li>`,
    )}</ol>`,
  ],
  [
    "replies nested in what they answer",
    POSTS.reduceRight(
      (inner, post) =>
        `<div class="comment"><p class="meta"><a href="/user/${post.author}">${post.author}</a> ${written(post.date)}</p><div class="md"><p>${post.text}</p></div>${inner}</div>`,
      "",
    ),
  ],
  [
    "microdata",
    each(
      (post) =>
        `<section itemscope itemtype="http://schema.org/Comment"><p><span itemprop="author">${post.author}</span> <meta itemprop="datePublished" content="${post.date}"></p><div itemprop="text">${post.text}</div></section>`,
    ),
  ],
  [
    "headings between paragraphs",
    `<main>${each((post) => `<h4>${post.author} wrote on ${written(post.date, "month")}:</h4><p>${post.text}</p>`)}</main>`,
  ],
  [
    "rows with an indented table, as in Hacker News",
    `<table class="comment-tree"><tbody>${each(
      (post, index) =>
        `<tr class="athing comtr" id="${index}"><td><table><tr><td class="ind" indent="0"><img src="s.gif" width="0"></td><td class="votelinks"><a href="vote?id=${index}"></a></td><td class="default"><div><span class="comhead"><a href="user?id=${post.author}" class="hnuser">${post.author}</a> <span class="age" title="${post.date}T10:15:00 1936000000"><a href="item?id=${index}">${index + 1} days ago</a></span></span></div><div class="comment"><div class="commtext c00">${post.text}</div><div class="reply"><p><u><a href="reply?id=${index}">reply</a></u></p></div></div></td></tr></table></td></tr>`,
    )}</tbody></table>`,
  ],
  [
    "preformatted messages, as in archives of mailing lists",
    each(
      (post, index) =>
        `<pre id="m${index}">From: ${post.author} &lt;x${index}@example.org&gt;\nDate: ${written(post.date)} 10:15:00 +0000\nSubject: Re: Noisy pump\n\n${post.text}\n</pre><hr>`,
    ),
  ],
  [
    "names and dates of localised words",
    each(
      (post) =>
        `<div class="beitrag"><span class="benutzer">${post.author}</span> <span>schrieb am ${written(post.date, "dot")} um 10:15 Uhr:</span><div>${post.text}</div></div>`,
    ),
  ],
];

describe("the posts of a thread", () => {
  test.each(threads)("are read from %s", (_, body) => {
    const { posts } = blocksOf(body);
    expect(posts.map(({ author, date }) => `${author} ${date}`)).toEqual(
      POSTS.map(({ author, date }) => `${author} ${date}`),
    );
    for (const [index, { text }] of posts.entries()) {
      const wanted = POSTS[index]?.text ?? "";
      expect(text).toContain(wanted);
      expect(text.length).toBeLessThan(1.6 * wanted.length + 60);
    }
  });
});

const ROWS = [
  { title: "Noisy pump in the cellar", url: "/thread/5", date: "2031-05-19" },
  { title: "Which drill for concrete?", url: "/thread/6", date: "2031-05-11" },
  { title: "Paint on old tiles", url: "/thread/7", date: "2031-05-04" },
  { title: "A lamp that flickers", url: "/thread/8", date: "2031-05-02" },
] as const;
const eachRow = (render: (row: (typeof ROWS)[number], index: number) => string) =>
  ROWS.map(render).join("\n");

const listings: readonly (readonly [name: string, body: string])[] = [
  [
    "a table with counts and the last post",
    `<table><tr><th>Topic</th><th>Replies</th><th>Last post</th></tr>${eachRow(
      (row, index) =>
        `<tr><td><a href="${row.url}">${row.title}</a><br>by <a href="/member/${index}">ada_k</a> on 1 Jan 2031</td><td>${index + 2}</td><td>${written(row.date)}<br><a href="/member/9">bert</a></td></tr>`,
    )}</table>`,
  ],
  [
    "list items with headings",
    `<ul>${eachRow((row) => `<li class="thread"><h3><a href="${row.url}">${row.title}</a></h3><span>${written(row.date, "month")}</span></li>`)}</ul>`,
  ],
  [
    "cards with a teaser and its author",
    eachRow(
      (row) =>
        `<div class="card"><a class="cat" href="/cat/1">Home</a><h2><a href="${row.url}">${row.title}</a></h2><p>A long teaser that says what the text is about, and who has asked for it.</p><a href="/author/ada">Ada Kern</a> <time datetime="${row.date}">some day</time></div>`,
    ),
  ],
  [
    "links around whole rows, as in Bootstrap's list groups",
    `<div class="list-group">${eachRow(
      (row) =>
        `<a href="${row.url}" class="list-group-item list-group-item-action"><small><time datetime="${row.date}">some day</time></small><div class="title">${row.title}</div><p>A description that is much longer than the title, and that says at length what the text is about, and who has asked for it.</p></a>`,
    )}</div>`,
  ],
  [
    "definition terms",
    `<dl>${eachRow((row) => `<dt><a href="${row.url}">${row.title}</a></dt><dd>${written(row.date)}, 3 replies</dd>`)}</dl>`,
  ],
  [
    "two rows for an entry, as in Hacker News",
    `<table>${eachRow(
      (row, index) =>
        `<tr class="athing"><td>${index + 1}.</td><td class="title"><span class="titleline"><a href="${row.url}">${row.title}</a></span></td></tr><tr><td></td><td class="subtext">12 points by <a href="user?id=ada" class="hnuser">ada</a> <span class="age" title="${row.date}T10:00:00">1 day ago</span></td></tr>`,
    )}</table>`,
  ],
  [
    "divs without any class",
    `<div>${eachRow((row) => `<div><div><a href="${row.url}">${row.title}</a></div><div>${written(row.date, "month")}</div></div>`)}</div>`,
  ],
];

describe("the rows of a list of threads", () => {
  test.each(listings)("are read from %s", (_, body) => {
    const { posts, rows } = blocksOf(body, "/board");
    expect(posts).toEqual([]);
    expect(rows.map(({ url, title, date }) => ({ url: new URL(url).pathname, title, date }))).toEqual(
      ROWS.map(({ url, title, date }) => ({ url, title, date })),
    );
  });

  test("include boards and the threads that are listed next to the boards", () => {
    const { rows, posts } = blocksOf(
      `<table>${["Around the house", "Garden and yard", "Small talk"]
        .map(
          (board, index) =>
            `<tr><td><a href="/board/${index}">${board}</a><div>What is asked here</div></td><td>12</td><td><a href="/thread/${index}9">Last thread of ${board}</a><br>${written("2031-05-04")} <a href="/member/1">ada_k</a></td></tr>`,
        )
        .join("")}</table>
      <div class="newest">${eachRow((row) => `<div class="entry"><a href="${row.url}">${row.title}</a> <span>${written(row.date)}</span></div>`)}</div>`,
      "/forum",
    );
    expect(posts).toEqual([]);
    const paths = rows.map(({ url }) => new URL(url).pathname);
    expect(paths).toEqual(
      expect.arrayContaining(["/board/0", "/board/1", "/board/2", "/thread/5", "/thread/8"]),
    );
  });

  test("count as boards if each row contains a block with its newest thread", () => {
    const { rows } = blocksOf(
      `<table>${["Around the house", "Garden and yard", "Small talk"]
        .map(
          (board, index) =>
            `<tr><td><a href="/board/${index}">${board}</a></td><td>12</td><td><div class="newest"><div><a class="newest-title" href="/thread/${index}9">A question on ${board}</a><div><time datetime="2031-05-04">4 May 2031</time></div></div></div></td></tr>`,
        )
        .join("")}</table>`,
      "/forum",
    );
    expect(rows.map(({ url }) => new URL(url).pathname)).toEqual(["/board/0", "/board/1", "/board/2"]);
  });

  test("are read even if all have the same title and contain little else", () => {
    const { rows } = blocksOf(
      `<ul>${[1, 2, 3, 4].map((id) => `<li><b><a href="/msg${id}.html">Re: Noisy pump</a></b>, <em>ada_k</em></li>`).join("")}</ul>`,
      "/threads.html",
    );
    expect(rows.map(({ url }) => new URL(url).pathname)).toEqual([
      "/msg1.html",
      "/msg2.html",
      "/msg3.html",
      "/msg4.html",
    ]);
  });
});

test("the subject of a message is read next to its sender, and not from the description of the mailing list", () => {
  const { subject, message } = blocksOf(
    `<h1>talk - A list</h1><p><b>Subject:</b> The list of the valley</p><div><ul><li><strong>From</strong>: ada_k</li><li><strong>Subject</strong>: Re: Noisy pump</li><li><strong>Date</strong>: Fri, 2 May 2031 08:00:00 +0000</li></ul></div><hr><p>It is the pipe, as I said in my first message.</p>`,
  );
  expect([message, subject]).toEqual([true, "Re: Noisy pump"]);
});

test("a page with a single message is read with its sender, day and text", () => {
  const { posts, message } = blocksOf(
    "<h1>Re: Noisy pump</h1><ul><li><em>From</em>: ada_k &lt;<a href='mailto:a@example.org'>a@example.org</a>&gt;</li><li><em>Date</em>: Fri, 2 May 2031 08:00:00 +0000</li></ul><pre>It is the pipe, as I said in my first message.\n</pre>",
  );
  expect(message).toBe(true);
  expect(posts).toEqual([
    { author: "ada_k", date: "2031-05-02", text: "It is the pipe, as I said in my first message." },
  ]);
});

test.each([
  [
    "a list of the thread behind a horizontal rule, as in Sympa",
    `<div><div><ul><li><strong>From</strong>: ada_k &lt;a@example.org&gt;</li><li><strong>Subject</strong>: Noisy pump</li><li><strong>Date</strong>: Fri, 2 May 2031 08:00:00 +0000</li></ul></div><hr>It is the pipe,<br>as I said.<br><br>Nothing else.<br><hr><ul><li><b>Noisy pump</b>, <em>ada_k, 05/02/2031</em></li><li><b><a href="msg2.html">Re: Noisy pump</a></b>, <em>bert, 05/04/2031</em></li></ul><p>Archive powered by MHonArc.</p></div>`,
  ],
  [
    "a signature, as in MHonArc with text that is not preformatted",
    `<h1>Noisy pump</h1><hr><ul><li><em>From</em>: ada_k &lt;a@example.org&gt;</li><li><em>Date</em>: Fri, 2 May 2031 08:00:00 +0000</li></ul><hr><p>It is the pipe, as I said.</p><p>Nothing else.</p>-- <br>Ada Kern, Hillside<br>`,
  ],
])("the text of a message in ordinary HTML ends before %s", (_, body) => {
  const { posts } = blocksOf(body);
  expect(posts).toEqual([
    { author: "ada_k", date: "2031-05-02", text: "It is the pipe, as I said. Nothing else." },
  ]);
});

test("a news article with a list of other articles is not read as a thread of posts", () => {
  const { posts } = blocksOf(
    `<article><h1>A pump for every house</h1><p class="byline">By Ada Kern, 2 May 2031</p>${"<p>The town decided on Tuesday to pay for one pump in each house that stands near the river.</p>".repeat(6)}</article><ul>${eachRow((row) => `<li><a href="${row.url}">${row.title}</a> ${written(row.date)}</li>`)}</ul>`,
    "/news/pump",
  );
  expect(posts).toEqual([]);
});
