/** Tests which object a task removes, and which tasks remove none. */
import { expect, test } from "bun:test";
import { readRemoval } from "../../../../machines/knowledge/tasks/removal-target.ts";

const read = (task: string): unknown => {
  const removal = readRemoval(task);
  if (!removal) return undefined;
  return "problem" in removal
    ? removal.problem
    : [removal.target.kind, removal.target.name, removal.target.place.join(" ")];
};

test.each([
  ["Delete the voucher SUMMER", ["voucher", "SUMMER", ""]],
  ["Remove the user greta", ["user", "greta", ""]],
  ["delete the check-in list Main entrance", ["check-in list", "Main entrance", ""]],
  ['delete the quota "all seats"', ["quota", "all seats", ""]],
  ["Delete ticket 17", ["ticket", "17", ""]],
  ["Remove the user Greta from the team Ushers", ["user", "Greta", "team usher"]],
  ["Lösche den Gutschein SUMMER", ["Gutschein", "SUMMER", ""]],
  ["delete the user greta@x.test", ["user", "greta@x.test", ""]],
  ["Delete the tag type jira-link", ["tag type", "jira-link", ""]],
])("the task %p removes the object %p (thing, name, place)", (task, object) => {
  expect(read(task)).toEqual(object);
});

test.each([
  ["delete all vouchers", "bulk"],
  ["Delete every user", "bulk"],
  ["delete the selected rows", "bulk"],
  ['delete the vouchers "A" and "B"', "bulk"],
  ["delete the users Anna and Bert", "bulk"],
  ["delete the voucher", "unnamed"],
  ["delete my account", "unnamed"],
])("the removal task %p is refused as %p", (task, problem) => {
  expect(read(task)).toEqual(problem);
});

test.each(["create a voucher", "edit the voucher SUMMER", "show the deleted vouchers"])(
  "the task %p is not read as a removal",
  (task) => {
    expect(read(task)).toBeUndefined();
  },
);
