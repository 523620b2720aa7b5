/**
 * Destinations with the egress policy of a Cairn on loopback: the tests' sites may be reached, and private
 * addresses may not.
 */
import { createDestinations } from "../../actors/egress/index.ts";

export const destinations = createDestinations({ policy: { loopback: true, allowPrivate: [] } });
