import { z } from 'zod';
import { MAX_SERVER_DESCRIPTION_CHARS } from '@gateway/crd-schemas';
import { audience, DNS_LABEL, HTTP_URL_OR_NONE, labelsOf, MAX_URL_CHARS } from './texts.ts';

/** How a managed service is registered at the gateway. The key `muster` is the gateway's everywhere. */
export const registrationValues = (server: {
  readonly name: string;
  readonly description: string;
}) =>
  z
    .strictObject({
      mcpServer: z
        .strictObject({
          enabled: z
            .boolean()
            .default(false)
            .meta({ description: 'Whether the service is registered at the gateway.' }),
          name: z
            .string()
            .max(63)
            .regex(DNS_LABEL)
            .default(server.name)
            .meta({ description: 'Name of the `MCPServer`; its tools are `x_<name>_<tool>`.' }),
          url: z.string().max(MAX_URL_CHARS).regex(HTTP_URL_OR_NONE).default('').meta({
            description:
              'Where the gateway reaches the service. Empty: the Service in the namespace of the release, `/mcp`.',
          }),
          autoStart: z
            .boolean()
            .default(true)
            .meta({ description: 'Whether the gateway connects when it starts.' }),
          description: z
            .string()
            .max(MAX_SERVER_DESCRIPTION_CHARS)
            .default(server.description)
            .meta({ description: 'What the service is for, as the gateway shows it.' }),
          labels: labelsOf(
            'Labels of the `MCPServer`. They add to the stamped ones and override them, such as `<labelDomain>/tool-group`.',
          ),
          auth: z
            .strictObject({
              forwardToken: z.boolean().default(true).meta({
                description:
                  'Whether the gateway forwards the ID token of its user. Rendered only with `oauth.enabled`.',
              }),
              requiredAudiences: z.array(audience).max(64).default([]).meta({
                description:
                  'Further audiences that the forwarded token carries. Rendered only with `oauth.enabled`.',
              }),
            })
            .prefault({})
            .meta({ description: 'How the gateway signs in at the service.' }),
        })
        .prefault({})
        .meta({ description: 'The `MCPServer` that is rendered.' }),
    })
    .prefault({})
    .meta({
      description:
        'The registration at the gateway. `muster` is the key of the gateway in all charts.',
    });

/** Whether the service asks its callers for tokens, which the registration then says. */
export const oauthValues = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        'Whether the service asks its callers for tokens. The registration then says how the gateway gets one.',
    }),
  })
  .prefault({})
  .meta({ description: 'Sign-in at the service.' });
