/** Tests that passwords typed into a conversation are found. */
import { describe, expect, test } from "bun:test";
import { hasChatSecret } from "../../../machines/dialogue/detect-passwords-in-dialogue-messages.ts";

describe("the search for passwords in chat messages", () => {
  test.each([
    "Sign in as ada with password hunter2",
    'Sign in as ada, password "correct horse"',
    "password: hunter",
    "Type s3cr3t! into the password field",
    "Type hunter into Password",
    "the API key is sk-12345",
    "Passwort: geheim123",
  ])("finds a password in: %s", (text) => {
    expect(hasChatSecret(text)).toBe(true);
  });

  test.each([
    'Click "Forgot Password?"',
    "Sign in as ada with password secret ADMIN_PW",
    "Type secret ADMIN_PW into the password field",
    "Change the password",
    "Open the password page, then click Save",
    "Enter Ada as first name and 12 as the age",
  ])("finds no password in: %s", (text) => {
    expect(hasChatSecret(text)).toBe(false);
  });
});
