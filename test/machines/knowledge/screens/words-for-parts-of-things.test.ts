/**
 * Tests that "sub-task" counts as another kind of thing than "task" (Kanboard, Jira, GitHub). So the form for a new
 * sub-task is not used for a task such as "create a task".
 */
import { expect, test } from "bun:test";
import { stemsOf, taskWords } from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";

test.each([
  ["Add a sub-task", "subtask", "task"],
  ["New sub-issue", "subissue", "issue"],
  ["Sub‐Categories", "subcategory", "category"],
])("the words of %s contain %s, and not %s", (text, word, other) => {
  expect(stemsOf(text)).toContain(word);
  expect(stemsOf(text)).not.toContain(other);
});

test("in a task about a part of a thing (create a sub-account), the thing is the whole word (subaccount)", () => {
  expect(taskWords("create a sub-account").head).toBe("subaccount");
  expect(taskWords("create a task").head).toBe("task");
  expect(stemsOf("sub-to")).toContain("sub");
});
