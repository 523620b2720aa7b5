import { describe, expect, test } from "bun:test";
import { masked, maskText } from "../../../machines/inspection/mask-secrets-for-inspection.ts";
import { MASK, namesSecret } from "../../../machines/inspection/names-of-secret-fields.ts";

describe("the value of a field with the name", () => {
  test.each([
    ...["password", "loginPassword", "login_password", "api_key", "apiKey", "APIKEY", "x-api-key"],
    ...[
      "access_token",
      "refreshToken",
      "Authorization",
      "set-cookie",
      "clientSecret",
      "private_key",
      "pin",
      "otp",
    ],
  ])("%s is masked", (name) => expect(namesSecret(name)).toBe(true));

  test.each([
    "key",
    "url",
    "knowledge_id",
    "topic",
    "opinion",
    "spinning",
    "keys",
    "monkey",
    "url_key",
    "seq",
  ])("%s is not masked", (name) => expect(namesSecret(name)).toBe(false));
});

test("masking hides values of all types in secret fields", () => {
  const value = {
    login: { user: "ann", password: "hunter2", pin: 1234, token: { a: "b" } },
    cookies: ["c=d"],
  };
  expect(masked(value)).toEqual({
    login: { user: "ann", password: MASK, pin: MASK, token: MASK },
    cookies: MASK,
  });
});

test("masking shows whether a secret field has a value", () => {
  expect(masked({ password: null, token: "" })).toEqual({ password: null, token: "" });
});

test("masking hides secrets inside texts", () => {
  expect(maskText("http://ann:hunter2@host/?q=1&api_key=abc&x=2")).toBe(
    `http://${MASK}@host/?q=1&api_key=${MASK}&x=2`,
  );
  expect(maskText("https://app.example/#id_token=abc&state=x, https://t0ken@git.example/a@b")).toBe(
    `https://app.example/#id_token=${MASK}&state=x, https://${MASK}@git.example/a@b`,
  );
  expect(maskText("Authorization: Bearer abc.def")).toBe(`Authorization: Bearer ${MASK}`);
});

test("masking cuts long, wide and deep values and reports how much is missing", () => {
  const bounds = { depth: 2, entries: 2, text: 5, values: 100 };
  expect(masked("abcdefgh", bounds)).toBe("abcde… 3 more characters");
  expect(masked([1, 2, 3, 4], bounds)).toEqual([1, 2, "… 2 more"]);
  expect(masked({ a: 1, b: 2, c: 3 }, bounds)).toEqual({ a: 1, b: 2, "…": "1 more" });
  expect(masked({ a: { b: { c: 1 } } }, bounds)).toEqual({ a: { b: "{…}" } });
});

test("masking limits the output for a value of any size", () => {
  const many = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => "x"));
  const shown = JSON.stringify(masked(many, { depth: 5, entries: 1_000, text: 10, values: 500 }));
  expect(shown.length).toBeLessThan(20_000);
});

test("masking drops values that JSON cannot represent, and does not change its input", () => {
  const value = { when: undefined, run: () => 1, n: Number.NaN, password: "x" };
  expect(JSON.parse(JSON.stringify(masked(value)))).toEqual({ run: null, n: null, password: MASK });
  expect(value.password).toBe("x");
});
