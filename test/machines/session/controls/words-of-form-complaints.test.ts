/** Tests which texts count as complaints of a form about a value. */
import { expect, test } from "bun:test";
import { isFormComplaint } from "../../../../machines/session/controls/words-of-form-complaints.ts";

test.each([
  "Password is required",
  "Required",
  "The name must have 3 letters",
  "Please enter a valid address",
  "Pflichtfeld",
  "Ce champ est obligatoire",
  "El nombre es obligatorio",
])("the text %p counts as a complaint of a form about a value", (text) => {
  expect(isFormComplaint(text)).toBe(true);
});

test.each(["Saved", "3 results", "Names are public.", "Total: 42", "Mustang", "Your request was sent"])(
  "the text %p does not count as a complaint of a form about a value",
  (text) => {
    expect(isFormComplaint(text)).toBe(false);
  },
);
