/** Tests that sentences which give no order, and choices that are left open, lead to questions. */
import { describe, expect, test } from "bun:test";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element } from "../support/test-page-elements.ts";

const tick = (labelText: string, more = {}) =>
  element({
    tagName: "input",
    type: "checkbox",
    interactionType: "click",
    labelText,
    checked: false,
    ...more,
  });
const page = [
  ...["Reject application", "Block card", "Restart router", "Publish appeal", "Continue"].map((name) =>
    button(name),
  ),
  button("Notifications", { icon: "bell" }),
  element({
    tagName: "select",
    interactionType: "select",
    labelText: "State",
    options: ["All", "Blocked", "Rejected"],
  }),
  ...["Payer en ligne", "Congelar abono", "Cancelar reserva", "Einlösen", "Rechnung bezahlen"].map((name) =>
    button(name),
  ),
  element({ tagName: "view", type: "view", textContent: "Pausar clase" }),
  button("Clear", { type: "reset" }),
  tick("Den alten Vertrag kündigen"),
  tick("Automatic updates"),
  button("Insurance claims form"),
  button("Reopen appeals"),
  tick("Tell me when the customer answers"),
  tick("Express delivery", { type: "radio" }),
  element({
    tagName: "select",
    interactionType: "select",
    labelText: "Priority",
    options: ["Low", "Normal", "Urgent"],
  }),
];

const acts = (task: string): readonly string[] => {
  const { plan, questions } = planned(task, page);
  if (questions.length > 0) return ["asks"];
  return plan.steps.map(({ targetId, value }) => {
    const one = page.find(({ highlight_index }) => highlight_index === targetId);
    return value ?? one?.labelText ?? one?.textContent ?? "";
  });
};

describe("a task that gives no clear instruction leads to a question", () => {
  test.each([
    ["a permission", "Can I reject the application?"],
    ["a permission", "May I block my card?"],
    ["a permission", "Puis-je payer en ligne ?"],
    ["a permission", "¿Puedo congelar el abono?"],
    ["an explanation", "Tell me how to restart the router"],
    ["an explanation", "Can you tell me how to block the card?"],
    ["an explanation", "Could you tell me if updates are automatic?"],
    ["a report", "I already restarted the router"],
    ["a report", "We rejected the application last week"],
    ["a report", "Ich habe die Rechnung schon bezahlt"],
    ["a report", "J'ai déjà payé en ligne"],
    ["a report that names an option", "I already blocked the card yesterday"],
    ["a report of somebody else", "Lena already restarted the router"],
    ["a report of somebody else", "Lena hat die Rechnung bereits bezahlt"],
    ["a report of what happened", "The application was rejected yesterday"],
    ["reported speech", "The customer said: block the card"],
    ["reported speech", "The customer claims the card is blocked"],
    ["reported speech", "The customer says block the card"],
    ["reported speech", "Der Kunde sagt: Rechnung bezahlen"],
    ["reported speech", "Le client a dit de payer en ligne"],
    ["reported speech", "El cliente dice: cancelar reserva"],
    ["a wish to be informed", "Notify me about new claims"],
    ["a wish to be informed", "Avísame de las novedades"],
    ["a negated order", "Kündige den alten Vertrag bitte nicht"],
    ["a negated order", "Löse den Gutschein nicht ein"],
    ["a negated order", "Ne paie rien en ligne"],
    ["a negated order", "No congeles el abono"],
    ["a negated order", "No canceles la reserva"],
    ["a condition", "Paie en ligne si la facture est sous 50 euros"],
    ["a condition", "Pausa la clase si cuesta menos de 10 euros"],
    ["a later time", "Restart the router after midnight"],
    ["an open choice", "Set the priority to normal or urgent"],
    ["an open choice", "Give it high or normal priority"],
    ["an open choice", "Take express or standard"],
  ])("%s: %s", (_, task) => {
    expect(acts(task)).toEqual(["asks"]);
  });
});

describe("a task that resembles a question or a report, but gives an instruction,", () => {
  test.each([
    ["Can you reject the application?", ["Reject application"]],
    ["Restart the router", ["Restart router"]],
    ["Open the notifications", ["Notifications"]],
    ["Set the state to blocked", ["Blocked"]],
    ["Insurance claims form", ["Insurance claims form"]],
    ["Expense claims: reject application", ["Reject application"]],
    ["Reopen appeals that were closed yesterday", ["Reopen appeals"]],
    ["Let me know when the customer answers", ["Tell me when the customer answers"]],
    ["Kündige den alten Vertrag", ["Den alten Vertrag kündigen"]],
    ["Congela el abono", ["Congelar abono"]],
    ["Set the priority to urgent", ["Urgent"]],
    ["Clear nothing, just continue", ["Continue"]],
  ])("is carried out: %s", (task, names) => {
    expect(acts(task)).toEqual(names);
  });
});
