/** Destinations that a Cairn on loopback may reach: the sites of the tests, and no private address. */
import { createDestinations } from "../../actors/egress/index.ts";

export const destinations = createDestinations({ policy: { loopback: true, allowPrivate: [] } });
