import { z } from 'zod';

/** Values of the chart `agent`. */
export const agentValues = z.strictObject({
  replicas: z.int().min(0).default(1).meta({ description: 'Pods of the agent.' }),
  global: z
    .looseObject({})
    .optional()
    .meta({ description: 'Values of a parent chart. The chart reads none.' }),
});
