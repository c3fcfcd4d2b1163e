import { z } from 'zod';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import {
  GATEWAY_FLOOR,
  gatewayBlockText,
  PLATFORM_GATEWAY,
  REGISTERED,
} from './fragments/platform-blocks.ts';
import { DNS_LABEL, namespaceName } from './fragments/texts.ts';

/** The longest name of a Helm release. */
const MAX_RELEASE_CHARS = 53;
const MAX_RANGE_CHARS = 256;
const DURATION = /^([0-9]+(ms|s|m|h))+$/u;

const componentName = z.string().min(1).max(MAX_RELEASE_CHARS).regex(DNS_LABEL);

/** A duration of Flux, such as `5m` or `1h30m`. */
const duration = z.string().max(32).regex(DURATION);

/** OCI URL of a repository of charts. */
const chartRepository = z
  .string()
  .max(2_048)
  .regex(/^oci:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9][a-z0-9._-]*)*$/u);

/** One part of the platform: chart, versions and values. */
const component = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the part is installed. Unset: true.' }),
  chart: z
    .string()
    .max(253)
    .regex(/^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/u)
    .meta({ description: 'Name of the chart in the repository.' }),
  repository: chartRepository
    .optional()
    .meta({ description: 'Repository of the chart. Unset: `chartRepository`.' }),
  versionRange: z
    .string()
    .min(1)
    .max(MAX_RANGE_CHARS)
    .meta({ description: 'Version range of the chart; Flux installs the newest version.' }),
  valuesFrom: z.string().min(1).max(253).optional().meta({
    description: 'Name of the block with the values of the chart.',
  }),
  injectGlobal: z.boolean().optional().meta({
    description:
      'Whether the chart gets `global` with `apiGroup` and `labelDomain`. Unset: true. `global` of the block takes precedence.',
  }),
  releaseName: componentName
    .optional()
    .meta({ description: 'Name of the Helm release. Unset: the name of the part.' }),
  namespace: namespaceName
    .optional()
    .meta({ description: 'Namespace of the Helm release. Unset: `namespace`.' }),
  dependsOn: z
    .array(componentName)
    .max(64)
    .optional()
    .meta({ description: 'Parts that must be ready before this part is installed or upgraded.' }),
  crds: z.enum(['Create', 'CreateReplace', 'Skip']).optional().meta({
    description:
      'Handling of the CustomResourceDefinitions of the chart. Unset: `CreateReplace`, so that an upgrade replaces them.',
  }),
  interval: duration.optional().meta({ description: 'Unset: `flux.interval`.' }),
  timeout: duration.optional().meta({ description: 'Unset: `flux.timeout`.' }),
  retries: z.int().min(-1).optional().meta({ description: 'Unset: `flux.retries`.' }),
  suspend: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the release is suspended. Unset: false.' }),
  verify: z.looseObject({}).optional().meta({
    description: 'How Flux verifies the signature of the chart (`OCIRepository.spec.verify`).',
  }),
});

/** The parts of the platform by name. */
const components = (defaults: Readonly<Record<string, z.output<typeof component>>>) =>
  z.record(componentName, component).default(defaults).meta({
    description: 'The parts of the platform. `null` removes a part.',
  });

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
