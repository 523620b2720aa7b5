/**
 * Every number of Cairn that is not a setting: named, explained, defaulted, in one place, by what it is about.
 * Durations are milliseconds, sizes bytes, unless the name says otherwise.
 */
import { exploring } from "./limits/exploring.ts";
import { keeping } from "./limits/keeping.ts";
import { living } from "./limits/living.ts";
import { runtime } from "./limits/runtime.ts";
import { seeing } from "./limits/seeing.ts";
import { signingIn } from "./limits/signing-in.ts";
import { web } from "./limits/web.ts";

export const limits = {
  ...runtime,
  ...web,
  ...exploring,
  ...keeping,
  ...living,
  ...seeing,
  ...signingIn,
} as const;
