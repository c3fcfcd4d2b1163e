import { z } from 'zod';
import { DNS_LABEL, namespaceName } from './texts.ts';

/** The longest name of a Helm release. */
const MAX_RELEASE_CHARS = 53;
const MAX_RANGE_CHARS = 256;
const DURATION = /^([0-9]+(ms|s|m|h))+$/u;

const componentName = z.string().min(1).max(MAX_RELEASE_CHARS).regex(DNS_LABEL);

/** A duration of Flux, such as `5m` or `1h30m`. */
export const duration = z.string().max(32).regex(DURATION);

/** OCI URL of a repository of charts. */
export const chartRepository = z
  .string()
  .max(2_048)
  .regex(/^oci:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9][a-z0-9._-]*)*$/u);

/** One part of the platform: chart, versions and values. */
export const component = z.strictObject({
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
export const components = (defaults: Readonly<Record<string, z.output<typeof component>>>) =>
  z.record(componentName, component).default(defaults).meta({
    description: 'The parts of the platform. `null` removes a part.',
  });
