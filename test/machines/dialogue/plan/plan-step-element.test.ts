/** Tests which element of the open page a step of a plan uses. The page may have changed since the plan was made. */
import { describe, expect, test } from "bun:test";
import type { PlanStep } from "../../../../machines/dialogue/plan/plan-schemas.ts";
import { stepElement } from "../../../../machines/dialogue/plan/plan-step-element.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

const button = (highlight_index: number, more: Partial<HighlightedElement> = {}): HighlightedElement => ({
  highlight_index,
  tagName: "button",
  type: "",
  interactionType: "click",
  selector: "button",
  xpath: "//button",
  textContent: "Create",
  attributes: {},
  box: { x: 0, y: 0, width: 80, height: 24 },
  in_viewport: true,
  frame: [],
  segment: null,
  ...more,
});

const step: PlanStep = {
  action: "click",
  targetId: 1,
  target: { role: "button", name: "Create" },
  value: null,
  secret: null,
  expectedResult: { type: "effect", expected: null },
  description: "Click Create",
  risk: "low",
  reversible: true,
  confidence: 1,
  deferred: false,
  dependsOn: [],
};

describe("an element without words in its name", () => {
  const icon = (highlight_index: number, name: string) =>
    button(highlight_index, { textContent: "", icon: name });
  const save = { ...step, target: { role: "button", name: "", attributes: { icon: "check" } } };

  test("is found by its icon, also if it has another index now", () => {
    expect(stepElement(save, [icon(1, "check"), icon(2, "arrow back")])).toMatchObject({
      element: { highlight_index: 1 },
    });
    expect(stepElement(save, [icon(7, "arrow back"), icon(8, "check")])).toMatchObject({
      element: { highlight_index: 8 },
    });
  });

  test("is never replaced by one with another icon, or by the only one without words", () => {
    expect(stepElement(save, [icon(1, "arrow back")])).toMatchObject({ code: "element_not_found" });
    const nameless = { ...step, target: { role: "button", name: "" } };
    expect(stepElement(nameless, [button(7, { textContent: "" })])).toMatchObject({
      code: "element_not_found",
    });
  });
});

describe("the element that a plan's step uses", () => {
  test("is the link to the planned address, whatever its name is", () => {
    const link = (highlight_index: number, href: string) =>
      button(highlight_index, {
        tagName: "a",
        interactionType: "navigate",
        textContent: "",
        attributes: { href },
      });
    const target = { role: "link", name: "http://site.test/2/alerts/", attributes: { href: "/2/alerts/" } };
    const toAlerts = { ...step, targetId: null, target };
    expect(stepElement(toAlerts, [link(1, "/1/alerts/"), link(2, "/2/alerts/")])).toMatchObject({
      element: { highlight_index: 2 },
    });
    expect(stepElement(toAlerts, [link(1, "/1/alerts/")])).toMatchObject({ code: "element_not_found" });
  });

  test("is a link with the planned address and another name, unless the link removes something or runs a script", () => {
    const link = (highlight_index: number, textContent: string, href: string) =>
      button(highlight_index, {
        tagName: "a",
        interactionType: "navigate",
        textContent,
        attributes: { href },
      });
    const stepTo = (href: string) => ({
      ...step,
      targetId: null,
      target: { role: "link", name: "Anna", attributes: { href } },
    });
    expect(
      stepElement(stepTo("/users/1"), [link(1, "Delete", "/users/1"), link(2, "Anna Berg", "/users/1")]),
    ).toMatchObject({ element: { highlight_index: 2 } });
    for (const route of ["#/users/new", "#!/users/new"])
      expect(stepElement(stepTo(route), [link(3, "New user", route)])).toMatchObject({
        element: { highlight_index: 3 },
      });
    for (const href of ["javascript:void(0)", "?", "#", "#top", "#/"])
      expect(stepElement(stepTo(href), [link(1, "Print", href)])).toMatchObject({
        code: "element_not_found",
      });
  });

  test("is the planned element, even if other elements have the same name", () => {
    expect(stepElement(step, [button(1), button(2)])).toMatchObject({ element: { highlight_index: 1 } });
  });

  test("is the button of the open dialog if the dialog covers the planned button", () => {
    const below = button(1, { covered: "div.dialog" });
    expect(stepElement(step, [below, button(2)])).toMatchObject({ element: { highlight_index: 2 } });
  });

  test("is a clickable <div> with the name Save if the form of the field has no other button", () => {
    const field = button(1, {
      tagName: "input",
      interactionType: "input",
      textContent: "",
      labelText: "Username",
      xpath: "//form/input",
    });
    const drawn = (index: number, name: string) =>
      button(index, { tagName: "div", textContent: name, xpath: `//form/div[${index}]` });
    const submit = {
      ...step,
      targetId: null,
      target: { role: "", name: "Create", submits: ["user name", "username"] },
    };
    expect(
      stepElement(submit, [field, drawn(2, "Language"), drawn(3, "Save"), drawn(4, "Cancel")]),
    ).toMatchObject({
      element: { highlight_index: 3 },
    });
  });

  test("is the button that submits a form from outside, by its attribute `form`", () => {
    const field = button(1, {
      tagName: "input",
      type: "text",
      interactionType: "input",
      textContent: "",
      labelText: "Name",
      xpath: "/html/body/div/form/input",
      formId: "group-form",
    });
    const more = { xpath: "/html/body/div/footer/button[1]", interactionType: "submit" } as const;
    const submit = { ...step, targetId: null, target: { role: "", name: "Create", submits: ["name"] } };
    expect(stepElement(submit, [field, button(2, { ...more, formId: "group-form" })])).toMatchObject({
      element: { highlight_index: 2 },
    });
    expect(stepElement(submit, [field, button(2, { ...more, formId: "other" })])).toMatchObject({
      code: "element_not_found",
    });
  });

  test("is the planned element if all elements of that name are covered", () => {
    const covered = { covered: "div.dialog" };
    expect(stepElement(step, [button(1, covered), button(2, covered)])).toMatchObject({
      element: { highlight_index: 1 },
    });
  });

  test("is the disabled button of the open dialog, which a script may enable later, and not the covered one", () => {
    const below = button(1, { covered: "div.dialog" });
    const ahead = button(2, { covered: "div.dialog-actions", disabled: true });
    expect(stepElement(step, [below, ahead])).toMatchObject({ code: "element_disabled" });
  });

  test("is the button of the open dialog if the planned button below the dialog is disabled", () => {
    const below = button(1, { covered: "div.dialog", disabled: true });
    expect(stepElement(step, [below, button(2)])).toMatchObject({ element: { highlight_index: 2 } });
  });

  test("is ambiguous, and none is chosen, if several buttons of that name are not covered", () => {
    const below = button(1, { covered: "div.dialog" });
    expect(stepElement(step, [below, button(2), button(3)])).toMatchObject({ code: "element_ambiguous" });
  });
});

describe("a button whose name has got the number of ticked rows", () => {
  const remove: PlanStep = { ...step, target: { role: "button", name: "Delete selected" }, risk: "high" };
  const called = (textContent: string, highlight_index = 1) => button(highlight_index, { textContent });

  test("is the planned one if it has the planned index", () => {
    expect(
      stepElement(remove, [called("Delete selected (1)"), called("Edit selected (1)", 2)]),
    ).toMatchObject({
      element: { highlight_index: 1 },
    });
    expect(stepElement({ ...remove, risk: "low" }, [called("Delete selected (3)")])).toHaveProperty(
      "element",
    );
  });

  test("is not used for a step of high risk if more rows are ticked, or if it is another element", () => {
    for (const elements of [
      [called("Delete selected (3)")],
      [called("Delete all (1)")],
      [called("Delete selected (1)", 2)],
    ])
      expect(stepElement(remove, elements)).toMatchObject({ code: "element_not_found" });
  });
});

describe("a step that clicks an item of a menu which is open by then", () => {
  const archive: PlanStep = {
    ...{ ...step, targetId: null, deferred: true },
    target: { role: "", name: "Archive workflow", also: ["Archive"] },
  };
  const tag = button(1, {
    ...{ tagName: "span", textContent: "archive-me", attributes: { class: "x-tag small" } },
    around: "Old newsletter workflow",
  });
  const item = button(2, { tagName: "div", role: "menuitem", textContent: "Archive", new: true });

  test("never clicks a tag of the entry whose name begins with the verb", () => {
    expect(stepElement(archive, [tag, item])).toMatchObject({ element: { highlight_index: 2 } });
    expect(stepElement(archive, [tag])).toMatchObject({ code: "element_not_found" });
  });

  test("clicks a tag that has the whole name", () => {
    const show = { ...archive, target: { role: "", name: "archive-me" } };
    expect(stepElement(show, [tag, item])).toMatchObject({ element: { highlight_index: 1 } });
  });
});
