/** The way out as a Cairn on loopback has it: to the sites of the tests and nowhere private. */
import { createDestinations } from "../../actors/egress/index.ts";

export const destinations = createDestinations({ policy: { loopback: true, allowPrivate: [] } });
