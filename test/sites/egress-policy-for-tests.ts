/**
 * The egress policy of tests, which is that of a Cairn that listens on loopback. The sites of tests may be
 * reached, and other private addresses may not.
 */
import { createDestinations } from "../../actors/egress/index.ts";

export const destinations = createDestinations({ policy: { loopback: true, allowPrivate: [] } });
