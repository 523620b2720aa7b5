/** Tests that secrets are not stored with a walk, and that inspection shows none of its values. */
import { expect, test } from "bun:test";
import { walk } from "../../../actors/walk/walk-actor-kind.ts";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";
import { withoutSecrets } from "../../../machines/walk/redact-walk-values.ts";

const SECRET = "correct horse battery";

test("values with names of secrets, such as api_key, are removed from the request for a walk before it is stored", () => {
  const given = { guest: "Ada", Password: SECRET, api_key: SECRET, "Access token": SECRET, "E-mail": "a@b" };
  expect(withoutSecrets(given)).toEqual({ guest: "Ada", "E-mail": "a@b" });
});

test.each(["Passwort", "kennwort_neu", "motDePasse", "Mot de passe", "Contraseña"])(
  "a value with the name %s (a word for password) is removed from the request for a walk before it is stored",
  (name) => {
    expect(withoutSecrets({ [name]: SECRET, Nachname: "Ada" })).toEqual({ Nachname: "Ada" });
  },
);

test("inspected commands, events and contexts of a walk along a route contain no values of the request", () => {
  const request = {
    room_name: "room",
    knowledge_id: "map",
    target: "Orders",
    parameters: { guest: SECRET },
    task: [{ description: "Type", action: parseAction("type", { index: 3, text: SECRET }) }],
  };
  const route = { actions: [{ tool_name: "input", parameters: { action: request.task[0]?.action } }] };
  const shown = walk.redactEvent?.({ type: "START", request, route });
  expect(shown).toMatchObject({ type: "START", request: { target: "Orders", parameters: {} } });
  expect(Object.keys(Object(shown).request.parameters)).toEqual(["guest"]);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
});
