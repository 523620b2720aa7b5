/**
 * Devices by the names in Playwright's list, with their window size and the user agent of their browser.
 * Playwright is loaded when a device is first requested, because Cairn uses only Playwright's types
 * otherwise.
 */
import { Refused } from "../../machines/errors.ts";

export interface Device {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly user_agent: string;
  readonly device_scale_factor: number;
  readonly is_mobile: boolean;
  readonly has_touch: boolean;
}

/** Returns the device of this name. Throws `request.invalid` (422) with similar names when there is none. */
export async function deviceNamed(name: string): Promise<Device> {
  const { devices } = await import("playwright");
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  const names = Object.keys(devices);
  const found = names.find((one) => plain(one) === plain(name));
  const device = found === undefined ? undefined : devices[found];
  if (!device) {
    const near = names.filter((one) => plain(one).includes(plain(name).slice(0, 5))).slice(0, 10);
    throw new Refused(
      "request.invalid",
      `There is no device "${name}".${near.length > 0 ? ` There are ${near.join(", ")}.` : ""}`,
      { status: 422, details: { issues: [{ path: "device", message: "unknown device" }], near } },
    );
  }
  const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = device;
  return {
    viewport,
    user_agent: userAgent,
    device_scale_factor: deviceScaleFactor,
    is_mobile: isMobile,
    has_touch: hasTouch,
  };
}
