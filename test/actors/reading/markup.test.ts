/** Our parser against htmlparser2's own: the same events, whatever the markup (with headings of one rank only). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Parser } from "htmlparser2";
import { MarkupParser } from "../../../actors/reading/markup.ts";

/** Events as text, adjoining pieces of text as one: where text is cut says nothing. */
class Events {
  readonly list: string[] = [];
  #text = "";

  onopentag(tag: string, attributes: Record<string, string>): void {
    this.#add(
      `<${tag}${Object.entries(attributes)
        .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
        .join("")}>`,
    );
  }
  ontext(text: string): void {
    this.#text += text;
  }
  onclosetag(tag: string): void {
    this.#add(`</${tag}>`);
  }
  #add(event: string): void {
    if (this.#text !== "") this.list.push(JSON.stringify(this.#text));
    this.#text = "";
    this.list.push(event);
  }
  end(): string {
    this.#add("end");
    return this.list.join("\n");
  }
}

function theirs(source: string, xhtml: boolean): string {
  const events = new Events();
  const parser = new Parser(events, { decodeEntities: true, recognizeSelfClosing: xhtml });
  parser.write(source);
  parser.end();
  return events.end();
}

function ours(source: string, xhtml: boolean, piece = Number.POSITIVE_INFINITY): string {
  const events = new Events();
  const parser = new MarkupParser(source, events, xhtml);
  let to = piece;
  while (parser.readTo(to)) to += piece;
  parser.end();
  return events.end();
}

const tags =
  "p div ul li dl dt dd table thead tbody tr td th a b form input option select optgroup button h1 br img image svg math title desc foreignObject mi textarea script style template pre body html head section DIV Svg lineargradient rt rp constructor x-y o:p p\u00e9".split(
    " ",
  );
const attributes = [
  "",
  "",
  "",
  " id=x",
  ' CLASS="a b"',
  " href='?a&amp;b'",
  " a a=1 A=2",
  " constructor=1 __proto__=2",
  " viewBox=0",
  " x=&copy",
  ' \u00c4="&#x1F600;"',
];
const piece = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...tags),
      fc.constantFrom(...attributes),
      fc.constantFrom(">", ">", ">", "/>", " / >"),
    )
    .map(([tag, attribute, end]) => `<${tag}${attribute}${end}`),
  fc.constantFrom(...tags).map((tag) => `</${tag}>`),
  fc.constantFrom(
    "text",
    " ",
    "&lt;",
    "&amp",
    "&unknown;",
    "<!-- c -->",
    "<!doctype html>",
    "<![CDATA[x<y]]>",
    "<?php x ?>",
    "<",
    "</",
    "<>",
    "</>",
    "<!x>",
    "\u0000",
    "\u{1f600}",
    "<b",
    "<a href=",
  ),
);

describe("markup", () => {
  test("is told as htmlparser2's parser tells it, whole and in pieces", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 30 }),
        (pieces, xhtml, size) => {
          const source = pieces.join("");
          const expected = theirs(source, xhtml);
          expect(ours(source, xhtml)).toBe(expected);
          expect(ours(source, xhtml, size)).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each([
    "<svg><foreignObject><div></FOREIGNOBJECT>x</svg><image src=a>",
    "<math><mi><image></mi><image></math>",
    "<form a=1><form b=2><input></form></form>",
    "<table><tr><td>1<td>2<tr><th>3</table>",
    "</p></br></x>",
    "<title>a<b>&amp;</title><textarea><p></textarea><script>if (a<b) '</scripty>'</script>",
    `<p ${"x".repeat(100)}=1 ${"Y".repeat(40)}=2>`,
    "<div <p>a",
    "<select><option>1<option>2<optgroup><option>3</select>",
  ])("%s is told alike", (source) => {
    for (const xhtml of [false, true]) expect(ours(source, xhtml)).toBe(theirs(source, xhtml));
  });

  test("names that share a place in memory are told apart", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `n${index.toString(36)}`);
    const source = names.map((name) => `<${name} ${name}=1></${name}>`).join("");
    const opened: readonly string[] = ours(source, false).match(/^<n\w+ n\w+="1">$/gm) ?? [];
    expect(opened).toEqual(names.map((name) => `<${name} ${name}="1">`));
  });
});
