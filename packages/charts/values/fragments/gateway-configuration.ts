import { z } from 'zod';

/** The gateway's `config.yaml`, key by key. @spec §2.2 */
export const gatewayConfiguration = z
  .looseObject({})
  .default({})
  .meta({
    standsFor: 'configuration',
    description:
      'Configuration of the gateway, `config.yaml`, with the keys of docs/configuration.md. Unset keys have the default of the gateway. A change of `toolsetPresets` takes effect in the running gateway; every other change replaces the pods.',
    examples: [
      {
        toolsetPresets: {
          notes: {
            description: 'The knowledge of the team, without deletion.',
            include: [{ label: 'gateway.internal/tool-group=notes' }],
            exclude: [{ pattern: '*_delete_*' }],
          },
        },
      },
    ],
  });
