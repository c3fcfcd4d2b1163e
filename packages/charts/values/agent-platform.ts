import { z } from 'zod';
import { chartRepository, components, duration } from './fragments/component.ts';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { gatewayBlockText, PLATFORM_GATEWAY, REGISTERED } from './fragments/platform-blocks.ts';
import { GATEWAY_FLOOR } from './fragments/platform-presets.ts';
import { namespaceName } from './fragments/texts.ts';

const block = (chart: string, defaults: Readonly<Record<string, unknown>> = {}) =>
  z
    .looseObject({})
    .default(defaults)
    .meta({ description: `Values of the chart \`${chart}\`, which validates them.` });

/** Values of the chart `agent-platform`. Additional blocks belong to parts that an installation adds. */
export const agentPlatformValues = z
  .object({
    global: globalValues,
    apiGroup,
    labelDomain,
    namespace: namespaceName.default('agent-platform').meta({
      description:
        'Namespace of the parts. By default agents expect the gateway in `agent-platform`.',
    }),
    chartRepository: chartRepository
      .default('oci://registry.gateway.internal/charts')
      .meta({ description: 'Repository of the charts of the parts.' }),
    flux: z
      .strictObject({
        interval: duration
          .default('10m')
          .meta({ description: 'Interval at which Flux checks for new versions and drift.' }),
        timeout: duration.default('5m').meta({ description: 'Time limit of an action.' }),
        retries: z
          .int()
          .min(-1)
          .default(3)
          .meta({ description: 'Number of retries of a failed action. -1: unlimited.' }),
        serviceAccountName: z
          .string()
          .max(253)
          .optional()
          .meta({ description: 'Account with which Flux acts. Unset: its own account.' }),
        registrySecret: z
          .string()
          .max(253)
          .optional()
          .meta({ description: 'Secret for pulling the charts.' }),
      })
      .prefault({})
      .meta({ description: 'Settings of the Flux objects of all parts.' }),
    components: components({
      muster: {
        enabled: true,
        chart: 'gateway',
        versionRange: `>=${GATEWAY_FLOOR} <6.0.0`,
        valuesFrom: 'muster',
        releaseName: 'gateway',
      },
      'agent-platform-mcps': {
        enabled: true,
        chart: 'agent-platform-mcps',
        versionRange: '>=0.9.0 <1.0.0',
        valuesFrom: 'agent-platform-mcps',
        dependsOn: ['muster'],
      },
      'agent-manager': {
        enabled: true,
        chart: 'agent-manager',
        versionRange: '>=0.4.0 <1.0.0',
        valuesFrom: 'agent-manager',
        dependsOn: ['muster'],
      },
      'model-manager': {
        enabled: true,
        chart: 'model-manager',
        versionRange: '>=0.18.0 <1.0.0',
        valuesFrom: 'model-manager',
        dependsOn: ['muster'],
      },
      portal: {
        enabled: false,
        chart: 'portal',
        versionRange: '>=0.239.0 <1.0.0',
        valuesFrom: 'portal',
        dependsOn: ['muster'],
      },
    }),
    muster: z
      .looseObject({
        muster: z
          .looseObject({
            toolsetPresets: z
              .record(z.string(), z.looseObject({}))
              .optional()
              .meta({ description: 'Toolset presets by name.' }),
          })
          .optional()
          .meta({ description: 'The configuration of the gateway.' }),
      })
      .default({ remoteMCPServer: { enabled: true }, ...PLATFORM_GATEWAY })
      .meta({ description: gatewayBlockText('which validates them') }),
    'agent-platform-mcps': block('agent-platform-mcps'),
    'agent-manager': block('agent-manager', REGISTERED),
    'model-manager': block('model-manager', REGISTERED),
    portal: block('portal', { agentManager: { url: 'http://agent-manager:8080' } }),
  })
  .catchall(z.looseObject({}));
