/**
 * Fixture applications by name. Each is one description, from which come its server, its pages, its log and the truth
 * about its screens; `startApp` serves it on a free loopback port.
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

export const appNames = Object.keys(apps) as readonly AppName[]; // The keys of the object above.

export function startApp(name: AppName, options: AppOptions = {}): RunningApp {
  return serveApp(apps[name], options);
}

/** `bun test/sites/apps/start-app.ts NAME` serves one to look at it. */
if (import.meta.main) {
  const name = process.argv[2] as AppName; // An unknown name fails below.
  console.log(startApp(name).url);
}
