/**
 * The entry module of the page script's bundle that runs in every document before any script of the page. It
 * must stay small, because every document waits for it.
 */
import { eventTap } from "./actionability/input-events-before-page.ts";
import { registry } from "./element-registry.ts";
import { focusShield } from "./observe/focus-loss-shield.ts";
import type { DocumentState } from "./page-script-document-state.ts";
import { passwordForms } from "./stop-password-form-sent-by-get.ts";
import { unsavedInput } from "./unsaved-input.ts";

const state: DocumentState = { registry, unsavedInput, eventTap, focusShield, passwordForms };
Object.assign(globalThis, { cairn: state });
