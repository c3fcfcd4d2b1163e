import { DEFAULT_TIMEOUTS } from '@gateway/downstream';
import { z } from 'zod';
import { DEFAULT_HEALTH_PORT, MAX_PORT } from '../address.ts';
import { flag, MAPPING, text, wholeNumber } from './field-types.ts';

/** The key `health`: readiness, and the listener for probes and metrics. */
export const healthSchema = z.strictObject(
  {
    enabled: flag
      .default(true)
      .describe(
        'listen on an own port for `/healthz`, `/readyz` and `/metrics`; `--no-health-listener` overrides it',
      ),
    host: text.optional().describe('listen address of this port; unset: that of the endpoint'),
    port: wholeNumber(0, MAX_PORT)
      .optional()
      .describe(
        `this port, 0 for any; \`--health-port\` overrides it; unset: ${DEFAULT_HEALTH_PORT.toString()}, or none with a warning when it is in use`,
      ),
    readySeconds: wholeNumber(0, 600)
      .default(DEFAULT_TIMEOUTS.settleMs / 1000)
      .describe('maximum time for which starting servers delay `/readyz`'),
  },
  MAPPING,
);
