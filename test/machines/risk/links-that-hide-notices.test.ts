import { expect, test } from "bun:test";
import { hidesNotice } from "../../../machines/risk/links-that-hide-notices.ts";

test.each(["Dismiss", "Dismiss the welcome panel", "Hide this message", "Don’t show again", "No, thanks"])(
  "the link %s hides a notice for the account",
  (text) => {
    expect(hidesNotice(text)).toBe(true);
  },
);

test.each([
  "Dismissals",
  "Hidden messages",
  "Close date",
  "Hide and seek",
  "Dismiss him, said the judge, and be quick",
])("the link %s hides no notice", (text) => {
  expect(hidesNotice(text)).toBe(false);
});
