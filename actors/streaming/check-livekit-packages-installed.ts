/**
 * Finds out whether the optional packages of the publisher are installed. They are loaded only in the
 * publisher's process.
 */

const PACKAGES = ["@livekit/rtc-node", "sharp"] as const;

export const INSTALL = `npm install ${PACKAGES.join(" ")}`;

export function missingPackages(): readonly string[] {
  return PACKAGES.filter((name) => {
    try {
      import.meta.resolve(name);
      return false;
    } catch {
      return true;
    }
  });
}

export function checkPublisher(): { readonly ok: boolean; readonly detail: string } {
  const missing = missingPackages();
  return missing.length === 0
    ? { ok: true, detail: "the publisher's packages are installed" }
    : { ok: false, detail: `${missing.join(" and ")} not installed: ${INSTALL}` };
}
