/** Tests which parameters of an address are masked as passwords. */
import { expect, test } from "bun:test";
import { withoutPasswords } from "../../../../machines/session/state/passwords-in-addresses.ts";

test.each([
  [
    "https://a.example/login?username=ann&password=s3cret",
    "https://a.example/login?username=ann&password=********",
  ],
  ["https://a.example/?user%5Bpassword%5D=s3cret#top", "https://a.example/?user%5Bpassword%5D=********#top"],
  ["https://a.example/#/login?newPassword=s3cret", "https://a.example/#/login?newPassword=********"],
  ["https://a.example/?pwd=a%26b;x=1", "https://a.example/?pwd=********;x=1"],
])("the password in the address %s is masked", (url, masked) => {
  expect(withoutPasswords(url)).toBe(masked);
});

test.each([
  "https://a.example/password?page=2",
  "https://a.example/?show_password=1&password=",
  "https://a.example/reset?token=abcdef",
  "https://a.example/users/password/edit?reset_password_token=abcdef",
  "https://a.example/#/reset?passwordResetKey=abcdef",
  "https://a.example/?q=password",
  "about:blank",
])("the address %s contains no password, so it is not changed", (url) => {
  expect(withoutPasswords(url)).toBe(url);
});
