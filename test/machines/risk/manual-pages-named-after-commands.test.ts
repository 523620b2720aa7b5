/** Tests which addresses named after commands (`/cli/enable`) are pages of a manual, and not commands. */
import { expect, test } from "bun:test";
import { commandPagesAmong } from "../../../machines/risk/manual-pages-named-after-commands.ts";

const at = (...paths: readonly string[]) => paths.map((path) => `https://a.example${path}`);

test("pages of a manual that are named after commands (enable) are recognised by the other command pages in their folder", () => {
  const plugin = ["create", "disable", "enable", "inspect"].map((name) => `/reference/cli/plugin/${name}/`);
  const audit = ["disable", "enable", "list"].map((name) => `/docs/commands/audit/${name}`);
  const found = commandPagesAmong(at("/", ...plugin, ...audit, "/docs/install"));
  expect([...found]).toEqual(
    at(
      "/reference/cli/plugin/disable/",
      "/reference/cli/plugin/enable/",
      "/docs/commands/audit/disable",
      "/docs/commands/audit/enable",
    ),
  );
});

test.each([
  ["without other pages in its folder", ["/docs/report/enable", "/docs/report"]],
  ["beside numbered items", ["/docs/rooms/enable", "/docs/rooms/1", "/docs/rooms/2", "/docs/rooms/3"]],
  ["beside the form of an item", ["/docs/payroll/disable", "/docs/payroll/share", "/docs/payroll/edit"]],
  [
    "beside versions of an item",
    ["/reference/rates/eur/toggle", "/reference/rates/eur/history", "/reference/rates/eur/log"],
  ],
  ["outside of a manual", ["/settings/sms/enable", "/settings/sms/list", "/settings/sms/log"]],
])(
  "an address with the name of a command is not recognised as a page of a manual if it is %s",
  (_, paths) => {
    expect([...commandPagesAmong(at(...paths))]).toEqual([]);
  },
);
