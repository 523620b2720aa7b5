import { describe, expect, test } from "bun:test";
import { templateName, templateOf } from "../../../../machines/exploration/crawl/crawl-url-template.ts";

const of = (path: string) => {
  const template = templateOf(`http://e.com:8080${path}`);
  return template && `${template.kind} ${templateName(template).replace("e.com:8080", "")}`;
};

describe("the template of a URL (numbers and names replaced)", () => {
  test.each([
    "/",
    "/about",
    "/docs/guide/getting-started.html",
    "/a/b/c/d/e",
    "/products/red-shoes",
    "/wiki/Main_Page",
    "/file/tip/src/a.py",
    "/?controller=GroupListController&action=index",
    "/index.php?module=Accounts&action=index",
    "/log/main",
    "/teams/%40harbour",
    "/%D0%BC%D0%B0%D1%8F%D0%BA",
  ])("does not exist for %s, because no part of it looks generated", (path) =>
    expect(of(path)).toBeUndefined(),
  );

  test.each([
    ["/product/17", "sequence /product/{n}"],
    ["/p17.html", "sequence /p{n}.html"],
    ["/whatsnew/3.11.html", "sequence /whatsnew/{n}.{n}.html"],
    ["/list?page=3", "sequence /list ?page"],
    ["/user/17/posts", "sequence /user/{n}/posts"],
    ["/teams/%40harbour-17", "sequence /teams/@harbour-{n}"],
    ["/2019/03/a-post", "sequence /{n}/{n}/{name}"],
    ["/file/0a1b2c3d4e", "random /file/{id}"],
    ["/doc/123e4567-e89b-12d3-a456-426614174000", "random /doc/{id}"],
    ["/item/84729384723", "random /item/{id}"],
    // Ids as Saleor (in base64) and nanoid create them.
    ["/orders/T3JkZXI6MQ%3D%3D", "random /orders/{id}"],
    ["/rooms/V1StGXR8_Z5jdHi6B-myT", "random /rooms/{id}"],
    ["/engines/Rolls-Royce_RB211-524G4", "sequence /engines/Rolls-Royce_RB{n}-{n}G{n}"],
    ["/2019/03", "calendar /{n}/{n}"],
    ["/cal/2031/5/17", "calendar /cal/{n}/{n}/{n}"],
    ["/cal/2031-05", "calendar /cal/{date}"],
    ["/cal/20310517", "calendar /cal/{date}"],
    ["/cal?month=5", "calendar /cal ?month"],
    ["/cal?y=2031&m=5", "calendar /cal ?m&y"],
    ["/events?from=2031-05-17", "calendar /events ?from"],
    ["/shop?colour=red", "parameters /shop ?colour"],
    ["/shop?size=m&colour=red", "parameters /shop ?colour&size"],
    ["/index.php?id=1&section=2", "parameters /index.php ?id&section"],
    ["/a/b/a/b/", "loop /a/…"],
    ["/x/y/z/z", "loop /x/…"],
    ["/w/index.php?title=Page&action=history", "wiki  ?action=history"],
    ["/wiki/Special:WhatLinksHere/Page", "wiki  Special:WhatLinksHere"],
    ["/doku.php?id=page&do=revisions", "wiki  ?do=revisions"],
    ["/index.php?title=Page&action=edit&section=2", "wiki  ?action=edit"],
    ["/Page?action=edit&rev=3", "wiki  ?action=edit"],
    // Items of WordPress and Dolibarr.
    ["/wp-admin/post.php?post=12&action=edit", "parameters /wp-admin/post.php ?action&post"],
    ["/user/card.php?id=3&action=edit", "parameters /user/card.php ?action&id"],
    ["/wiki/Page/history", "wiki /wiki/{page}/history"],
    ["/rev/4e7a6600ec78", "wiki  rev/{id}"],
    ["/repo/annotate/4e7a6600ec78/src/a.py", "wiki /repo annotate/{id}/…"],
    ["/annotate/tip/src/a.py", "wiki  annotate/tip/…"],
    ["/repo/artifact/4e7a6600ec78", "wiki /repo artifact/{id}"],
    ["/file?name=src/a.py&ci=tip", "parameters /file ?ci&name"],
    ["/file?name=src/a.py&ci=4e7a6600ec78", "parameters /file ?ci={id}&name"],
    ["/item?id=4e7a6600ec78", "parameters /item ?id"],
    ["/users?id=4&sort=name&direction=asc", "parameters /users ?{order}"],
    ["/users?id=4&sort=name&direction=asc&page=1", "parameters /users ?{order}"],
    ["/users?id=4&sort=name&direction=asc&page=2", "parameters /users ?direction&id&page&sort"],
    // Addresses of Kanboard, SuiteCRM and Joomla, in which parameters select the function of one script.
    [
      "/?controller=TaskViewController&action=show&task_id=3",
      "sequence /controller=TaskViewController/action=show ?task_id",
    ],
    [
      "/?controller=TaskModificationController&action=edit&task_id=3",
      "sequence /controller=TaskModificationController/action=edit ?task_id",
    ],
    [
      "/index.php?module=Accounts&action=DetailView&record=4e7a6600ec78",
      "parameters /index.php/module=Accounts/action=DetailView ?record",
    ],
    [
      "/index.php?option=com_content&view=article&id=7",
      "sequence /index.php/option=com_content/view=article ?id",
    ],
    ["/file/4e7a6600ec78/src/a.py", "wiki  file/{id}/…"],
    ["/r.git/tree/a?id=da39a3ee5e6b4b0d3255bfef95601890afd80709", "wiki  ?id"],
  ])("of %s is %s", (path, expected) => {
    expect(of(path)).toBe(expected);
  });

  test("depends on the names of parameters, but not on their order or values", () => {
    expect(of("/a?x=1&y=2")).toBe(of("/a?y=7&x=9") ?? "");
    expect(of("/a?p1=1&p2=x")).toBe(of("/a?p8=1&p9=x") ?? "");
    expect(of("/a?a=1&b=1&c=1&d=1&e=1&f=1&g=1")).toBe("parameters /a ?…");
  });
});
