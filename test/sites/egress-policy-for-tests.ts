/**
 * The egress policy of tests: that of a Cairn that listens on loopback. It permits the sites of tests, and
 * refuses other private addresses.
 */
import { createDestinations } from "../../actors/egress/index.ts";

export const destinations = createDestinations({ policy: { loopback: true, allowPrivate: [] } });
