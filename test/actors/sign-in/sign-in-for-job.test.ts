/** Tests how often a job tries to sign in, with a session whose first login fails. */
import { expect, test } from "bun:test";
import { SignedIn } from "../../../actors/sign-in/sign-in-for-job.ts";
import { WriteGuard } from "../../../machines/exploration/press/write-request-guard.ts";

const RECIPE = {
  url: "http://site.example/login",
  fields: [{ label: "User", value: "ann" }],
  success: { text: "Log out" },
};

type Services = Parameters<typeof SignedIn.open>[2];
type Session = Parameters<SignedIn["signIn"]>[0];

// The casts are safe: a sign-in uses only these parts.
const services = {
  sessions: { secrets: { vault: Promise.resolve({ open: async () => JSON.stringify(RECIPE) }) } },
} as unknown as Services;

function failingOnce() {
  const logins: unknown[] = [];
  const login = async (recipe: unknown) => {
    logins.push(recipe);
    return logins.length === 1 ? { success: false, error: "too slow" } : { success: true, data: {} };
  };
  return { logins, session: { login } as unknown as Session };
}

test("a job tries a login twice if the login has worked earlier in the same job, for example in the crawl before the presses", async () => {
  const { logins, session } = failingOnce();
  const signedIn = await SignedIn.open("job", "sealed", services, { hasWorked: true });
  await signedIn?.signIn(session, new WriteGuard(true));
  expect(logins).toHaveLength(2);
});

test("a job tries a login once if it has never worked, because its password may be wrong", async () => {
  const { logins, session } = failingOnce();
  const signedIn = await SignedIn.open("job", "sealed", services);
  await expect(signedIn?.signIn(session, new WriteGuard(true))).rejects.toMatchObject({
    code: "exploration.login_failed",
  });
  expect(logins).toHaveLength(1);
});
