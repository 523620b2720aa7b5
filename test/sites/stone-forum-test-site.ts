/**
 * A forum of threads about stones, with two posts each. It answers slowly, so that many requests are open at
 * the same time.
 */
import { html, type ScriptedSite, serveSite } from "./test-site-with-given-routes.ts";

const OPINIONS = "heavy old round grey smooth broken hollow warm sharp tall small dark".split(" ");

export interface StoneForum {
  readonly threads: number;
  /** Delay of the answer to a request for a thread, in milliseconds. */
  readonly answerTime: number;
}

/** Serves the list of threads at `/forum`, and the threads at `/threads/0`, `/threads/1` and so on. */
export function serveStoneForum({ threads, answerTime }: StoneForum): ScriptedSite {
  const rows = Array.from(
    { length: threads },
    (_, at) =>
      `<li class="row"><h3><a href="/threads/${at}">Entry ${at} of stones</a></h3><span>2 replies</span></li>`,
  );
  return serveSite({
    "/forum": html("Forum of stones", `<main><h1>Forum of stones</h1><ul>${rows.join("")}</ul></main>`),
    "*": async (request) => {
      await Bun.sleep(answerTime);
      const number = /^\/threads\/(\d+)$/.exec(new URL(request.url).pathname)?.[1];
      if (number === undefined) return new Response("no", { status: 404 });
      const posts =
        post("ada", opinion(Number(number))) + post("bert", `I saw ${opinion(Number(number) + 40)}`);
      return html(
        `Entry ${number} of stones`,
        `<main><h1>Entry ${number}</h1>${posts}</main><textarea name="text"></textarea>`,
      );
    },
  });
}

/**
 * Returns the text of a post that contains the topic of the navigation run only once. The run must ask its
 * model whether such a post is relevant.
 */
function opinion(at: number): string {
  return `Stone ${at} is ${OPINIONS[at % OPINIONS.length]} and I found it ${at + 3} steps from gate ${at * 7}.`;
}

function post(author: string, text: string): string {
  return `<article class="post"><a class="author" href="/people/${author}">${author}</a> <time datetime="2026-01-02">2 January 2026</time><p>${text}</p></article>`;
}
