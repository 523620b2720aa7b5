/**
 * The fixture applications by name. Each application is one description, from which its server, its pages,
 * its log and the truth about its screens are derived. `startApp` serves an application on a free loopback
 * port.
 */

import { bookingWizard } from "./booking-wizard-fixture-app.ts";
import { type AppOptions, type RunningApp, serveApp } from "./fixture-app-server.ts";
import { mediaLibrary } from "./media-library-fixture-app.ts";
import { orderDesk } from "./order-desk-fixture-app.ts";
import { taskBoard } from "./task-board-fixture-app.ts";

export const apps = {
  "order-desk": orderDesk,
  "task-board": taskBoard,
  "booking-wizard": bookingWizard,
  "media-library": mediaLibrary,
} as const;

export type AppName = keyof typeof apps;

// The cast is safe: `Object.keys` returns the keys of the object above.
export const appNames = Object.keys(apps) as readonly AppName[];

export function startApp(name: AppName, options: AppOptions = {}): RunningApp {
  return serveApp(apps[name], options);
}

/** `bun test/sites/apps/start-fixture-app.ts NAME` serves an application, so that a person can look at it. */
if (import.meta.main) {
  // The cast is not verified: `startApp` throws an error for an unknown name.
  const name = process.argv[2] as AppName;
  console.log(startApp(name).url);
}
