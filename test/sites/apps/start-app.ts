/**
 * The fixture applications by name. Each application is one description, from which its server, its pages,
 * its log and the truth about its screens are derived. `startApp` serves an application on a free loopback
 * port.
 */
import { type AppOptions, type RunningApp, serveApp } from "./app-server.ts";
import { bookingWizard } from "./booking-wizard.ts";
import { mediaLibrary } from "./media-library.ts";
import { orderDesk } from "./order-desk.ts";
import { taskBoard } from "./task-board.ts";

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

/** `bun test/sites/apps/start-app.ts NAME` serves an application, so that a person can look at it. */
if (import.meta.main) {
  // The cast is not verified: `startApp` throws an error for an unknown name.
  const name = process.argv[2] as AppName;
  console.log(startApp(name).url);
}
