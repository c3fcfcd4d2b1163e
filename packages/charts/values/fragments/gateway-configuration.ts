import { z } from 'zod';

/** The gateway's `config.yaml`, key by key. @spec §2.2 */
export const gatewayConfiguration = z.looseObject({}).default({}).meta({
  standsFor: 'configuration',
  description:
    'The gateway’s configuration, `config.yaml`. What is not set has the gateway’s own default. A change of `toolsetPresets` is picked up by the running gateway, every other change replaces the pods.',
});
