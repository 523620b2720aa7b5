import { expect, test } from "bun:test";
import { MASK } from "../../../machines/inspection/masking.ts";
import { Redactor } from "../../../machines/session/secret-redaction.ts";

test("a secret is found however it is written, wherever it stands", () => {
  const redactor = new Redactor();
  redactor.add(`p&ss "wörd" <1>`);
  const secret = `p&ss "wörd" <1>`;
  const told = {
    plain: `it is ${secret}.`,
    list: [encodeURIComponent(secret), new URLSearchParams({ q: secret }).toString(), JSON.stringify(secret)],
    markup: { [secret]: "<i>p&amp;ss &quot;wörd&quot; &lt;1&gt;</i>" },
    number: 1,
    nothing: null,
  };
  const masked = redactor.mask(told);
  expect(JSON.stringify(masked)).not.toMatch(/wörd|w%C3%B6rd/);
  expect(masked).toMatchObject({ plain: `it is ${MASK}.`, number: 1, nothing: null });
});

test("what holds none stays the same object, and the longest of two is masked whole", () => {
  const redactor = new Redactor();
  const value = { a: ["b"] };
  expect(redactor.mask(value)).toBe(value);
  redactor.add("hunter2", "hunter2000", "");
  expect(redactor.mask(value)).toBe(value);
  expect(redactor.text("hunter2000 hunter2")).toBe(`${MASK} ${MASK}`);
});

test("a short one is masked only where it stands by itself", () => {
  const redactor = new Redactor();
  redactor.add("1a");
  expect(redactor.mask(["1a", "1ab"])).toEqual([MASK, "1ab"]);
});
