/**
 * The state of a document, which the page script creates before any script of the page runs. It is stored in
 * the page script's global, so that all bundles of a document share one copy.
 */
import type { EventTap } from "./actionability/input-events-before-page.ts";
import type { Registry } from "./element-registry.ts";
import type { FocusShield } from "./observe/focus-loss-shield.ts";
import type { PasswordFormGuard } from "./stop-password-form-sent-by-get.ts";
import type { UnsavedInput } from "./unsaved-input.ts";

export interface DocumentState {
  readonly registry: Registry;
  readonly unsavedInput: UnsavedInput;
  readonly eventTap: EventTap;
  readonly focusShield: FocusShield;
  readonly passwordForms: PasswordFormGuard;
}

export const { registry, unsavedInput, eventTap, passwordForms } = (
  globalThis as unknown as { cairn: DocumentState }
).cairn;
