import type { z } from 'zod';

/** Values of the gateway's network and scaling objects, to be spread into the values of the chart `gateway`. */
export const gatewayNetworkValues = {} satisfies Readonly<Record<string, z.ZodType>>;
