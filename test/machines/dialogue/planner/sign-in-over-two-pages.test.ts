/**
 * Tests plans for a sign-in, even if the password field is only on the page that follows the page with the user name.
 */
import { describe, expect, test } from "bun:test";
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const form = (name: string) => ({ xpath: `/html/body/form[1]/${name}` });
const user = field("Username", form("input"));
const guest = element({ tagName: "a", textContent: "Explore without account", attributes: { href: "/g" } });
const planned = (
  task: string,
  elements: readonly HighlightedElement[],
  answers: Record<string, string> = {},
) => planRefined({ task, elements, answers, id: "p", version: 1, pageUrl: "http://site.test/" });
const TASK = "Sign in as ada with the secret SHOP";
const STEPS = [
  'Type "ada" into "Username"',
  'Click "Next"',
  'later: Type the secret SHOP into "password"',
  'later: Click "log in" in the form of "password"',
];
const shown = ({ plan }: ReturnType<typeof planned>) =>
  plan.steps.map(({ deferred, description }) => `${deferred ? "later: " : ""}${description}`);

test.each([
  ["enabled", button("Next", form("button"))],
  ["disabled until the name is typed", button("Next", { disabled: true, covered: "div", ...form("button") })],
])(
  "a sign-in in two steps sends the user name with a button that is %s, and then types the password",
  (_, next) => {
    const made = planned(TASK, [user, next, guest]);
    expect([made.questions, shown(made)]).toEqual([[], STEPS]);
  },
);

test("a sign-in without a stored secret asks only for the secret, and continues with the answer", () => {
  const page = [user, button("Next", form("button")), guest];
  const [question, ...others] = planned("Sign in as ada", page).questions;
  expect([question?.question, others]).toEqual([
    'Which stored secret should be typed into "password"? Give its name, not its value.',
    [],
  ]);
  expect(shown(planned("Sign in as ada", page, { [question?.id ?? ""]: "SHOP" }))).toEqual(STEPS);
});

test("a sign-in on a page with a password field uses only this page", () => {
  const password = field("Password", { type: "password", ...form("input[2]") });
  const made = planned(TASK, [user, password, button("Sign in", form("button"))]);
  expect(shown(made)).toEqual([
    'Type "ada" into "Username"',
    'Type the secret SHOP into "Password"',
    'Click "Sign in"',
  ]);
});

test("a sign-in on a page with a user name, but without a button that sends it, leads to a question", () => {
  expect(planned(TASK, [user, guest]).questions).not.toEqual([]);
});

test("a sign-in does not send the user name by a button for the account of another site", () => {
  const page = [user, button("Continue with Google", form("button[1]"))];
  const email = button("Continue with e-mail", form("button[2]"));
  expect(shown(planned(TASK, page))).not.toContain('Click "Continue with Google"');
  expect(shown(planned(TASK, [...page, email]))).toContain('Click "Continue with e-mail"');
});

test("a sign-in on a page that asks only for the password types the password and sends it", () => {
  const password = field("Password", { type: "password", ...form("input") });
  const made = planned(TASK, [password, button("Sign in", form("button")), button("Change user")]);
  expect([made.questions, shown(made)]).toEqual([
    [],
    ['Type the secret SHOP into "Password"', 'Click "Sign in"'],
  ]);
});

describe("a sign-in on a page with both fields", () => {
  const password = field("Password", { type: "password", ...form("input[2]") });
  const page = [user, password, button("Sign in", form("button"))];

  test("is sent once, even if the task names its button", () => {
    const made = planned("Sign in as ada with the secret SHOP and click Sign in", page);
    expect([made.questions, shown(made)]).toEqual([
      [],
      ['Type "ada" into "Username"', 'Type the secret SHOP into "Password"', 'Click "Sign in"'],
    ]);
  });

  test.each(["Sign in with the secret SHOP", "Log in using secret SHOP"])(
    "types only the secret if the task names no user: %p",
    (task) => {
      expect(shown(planned(task, page))).toEqual(['Type the secret SHOP into "Password"', 'Click "Sign in"']);
    },
  );
});

test("a sign-in in two steps is sent once, even if the task names its button", () => {
  const page = [user, button("Next", form("button"))];
  expect(shown(planned("Sign in as ada with the secret SHOP and click Sign in", page))).toEqual(STEPS);
});

test("a task that opens a page, types a secret there and then clicks a control of that page is planned with these three steps", () => {
  const made = planned("Open Security, type the secret TOKEN into the key field, then click Reports", [
    element({ tagName: "a", textContent: "Security", attributes: { href: "/security" } }),
  ]);
  expect(shown(made)).toEqual([
    'Click "Security"',
    'later: Type the secret TOKEN into "key field"',
    'later: Click "Reports"',
  ]);
});
