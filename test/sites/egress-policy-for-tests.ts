/**
 * Egress destinations for tests, as in a Cairn that listens on loopback: the sites of tests may be reached,
 * and other private addresses may not.
 */
import { createDestinations } from "../../actors/egress/index.ts";

export const destinations = createDestinations({ policy: { loopback: true, allowPrivate: [] } });
