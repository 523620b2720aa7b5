import { expect, test } from "bun:test";
import { MASK } from "../../../../machines/inspection/names-of-secret-fields.ts";
import { Redactor } from "../../../../machines/session/state/secret-redaction.ts";

test("a secret is masked in every encoding and position", () => {
  const redactor = new Redactor();
  redactor.add(`p&ss "wörd" <1>`);
  const secret = `p&ss "wörd" <1>`;
  const given = {
    plain: `it is ${secret}.`,
    list: [encodeURIComponent(secret), new URLSearchParams({ q: secret }).toString(), JSON.stringify(secret)],
    markup: { [secret]: "<i>p&amp;ss &quot;wörd&quot; &lt;1&gt;</i>" },
    number: 1,
    nothing: null,
  };
  const masked = redactor.mask(given);
  expect(JSON.stringify(masked)).not.toMatch(/wörd|w%C3%B6rd/);
  expect(masked).toMatchObject({ plain: `it is ${MASK}.`, number: 1, nothing: null });
});

test("of two overlapping secrets the longer one is masked, and a value without secrets is returned unchanged", () => {
  const redactor = new Redactor();
  const value = { a: ["b"] };
  expect(redactor.mask(value)).toBe(value);
  redactor.add("hunter2", "hunter2000", "");
  expect(redactor.mask(value)).toBe(value);
  expect(redactor.text("hunter2000 hunter2")).toBe(`${MASK} ${MASK}`);
});

test("a short secret is masked only as a complete word", () => {
  const redactor = new Redactor();
  redactor.add("1a");
  expect(redactor.mask(["1a", "1ab"])).toEqual([MASK, "1ab"]);
});
