/**
 * The part of a form that states how to sign in: page, user name, secret of the password, and the proof of
 * success. From these fields the form builds the login recipe of its request.
 */
import { useId, useState } from "preact/hooks";
import type { LoginRecipe } from "../../../../machines/session/state/login-recipe.ts";

type Texts = Readonly<Record<Name, string>>;
type Name = (typeof ROWS)[number]["name"];

/** The fields of the form for a sign-in, in the order in which the console shows them. */
const ROWS = [
  { name: "url", label: "Sign-in page", initial: "", hint: "Empty: without a sign-in" },
  { name: "userLabel", label: "Label of the user field", initial: "Username", hint: "As the page shows it" },
  { name: "user", label: "User name", initial: "", hint: "" },
  {
    name: "secretLabel",
    label: "Label of the password field",
    initial: "Password",
    hint: "As the page shows it",
  },
  {
    name: "secret",
    label: "Secret with the password",
    initial: "",
    hint: "The name of a stored secret (CAIRN_SECRET_<NAME>, or PUT /api/secrets/{name}), never the password",
  },
  {
    name: "proof",
    label: "Text or address after the sign-in",
    initial: "",
    hint: "Proves success: a text of the page, or a part of its address that starts with /, http: or https:",
  },
] as const;

const EMPTY: Texts = Object.fromEntries(ROWS.map(({ name, initial }) => [name, initial])) as Texts;

const isAddress = (proof: string): boolean => /^(\/|https?:)/i.test(proof);

/**
 * Converts the texts of the fields to a login recipe. Returns `undefined` if no sign-in page is given. Throws
 * an error that names the missing field.
 */
function signInRecipe(texts: Texts): LoginRecipe | undefined {
  const text = (name: Name): string => texts[name].trim();
  if (text("url") === "") return undefined;
  const missing = ROWS.find(({ name }) => text(name) === "");
  if (missing) throw new Error(`To sign in, fill in "${missing.label}" too.`);
  const proof = text("proof");
  return {
    url: text("url"),
    fields: [
      { label: text("userLabel"), value: text("user") },
      { label: text("secretLabel"), secret: text("secret") },
    ],
    success: isAddress(proof) ? { url: proof.startsWith("/") ? `*${proof}*` : proof } : { text: proof },
  };
}

/**
 * Returns the current texts of the sign-in fields, and the fields as components that a `SchemaForm` can show.
 */
export function useSignIn() {
  const [texts, setTexts] = useState<Texts>(EMPTY);
  const fields = (
    <SignInFields
      texts={texts}
      change={(name, text) => setTexts((before) => ({ ...before, [name]: text }))}
    />
  );
  return { fields, recipe: () => signInRecipe(texts) };
}

interface SignInFieldsProps {
  readonly texts: Texts;
  readonly change: (name: Name, text: string) => void;
}

function SignInFields({ texts, change }: SignInFieldsProps) {
  const id = useId();
  return (
    <details class="more">
      <summary>Sign in first</summary>
      <div class="more-fields">
        {ROWS.map(({ name, label, hint }) => (
          <div class="field text" key={name}>
            <label for={`${id}-${name}`}>{label}</label>
            <input
              id={`${id}-${name}`}
              name={`sign-in-${name}`}
              type="text"
              autocomplete="off"
              aria-describedby={hint ? `${id}-${name}-about` : undefined}
              value={texts[name]}
              onInput={({ currentTarget }) => change(name, currentTarget.value)}
            />
            {hint && (
              <p class="hint" id={`${id}-${name}-about`}>
                {hint}
              </p>
            )}
          </div>
        ))}
      </div>
    </details>
  );
}
