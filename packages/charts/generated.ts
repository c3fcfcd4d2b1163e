import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatCrd,
  DEFAULT_API_GROUP,
  DEFAULT_LABEL_DOMAIN,
  REFUSED_ELSEWHERE,
  findServerBounds,
} from '@gateway/crd-schemas';
import { DEFAULT_HEALTH_PORT } from '@gateway/gateway-config';
import type { GeneratedFile } from '@gateway/repo-checks';
import { MAX_INLINE_SELECTORS, TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { parse } from 'yaml';
import type { z } from 'zod';
import { type ChartName, CHARTS } from './src/assemble-charts.ts';
import {
  renderConstantsTemplate,
  createPresetConstants,
  listReservedParameters,
} from './src/chart-constants.ts';
import {
  createChartSchema,
  readConfigurationDefault,
  readFieldBounds,
  type ValueSchema,
} from './src/chart-schema.ts';
import {
  findSharedValues,
  renderSharedReference,
  renderValuesReference,
  SHARED_PAGE,
} from './src/values-reference.ts';
import { renderValuesYaml } from './src/values-yaml.ts';
import { agentManagerValues } from './values/agent-manager.ts';
import { agentPlatformMcpsValues } from './values/agent-platform-mcps.ts';
import { agentPlatformValues } from './values/agent-platform.ts';
import { agentValues } from './values/agent.ts';
import { GATEWAY_FLOOR } from './values/fragments/platform-blocks.ts';
import {
  DNS_LABEL,
  HTTP_URL,
  HTTPS_URL,
  ISSUER_URL,
  LABEL_VALUE,
  MAX_URL_CHARS,
} from './values/fragments/texts.ts';
import { gatewayValues } from './values/gateway.ts';
import { mcpKubernetesValues } from './values/mcp-kubernetes.ts';
import { modelManagerValues } from './values/model-manager.ts';
import { portalValues } from './values/portal.ts';
import { standaloneValues } from './values/standalone.ts';

/** Facts from `Chart.yaml`. */
interface ChartFacts {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly description: string;
}

const useOf = ({ name, version }: ChartFacts): readonly string[] => [
  '```sh',
  `helm install my-${name} oci://registry.gateway.internal/charts/${name} --version ${version}`,
  `helm show values oci://registry.gateway.internal/charts/${name} --version ${version}`,
  '```',
  '',
  '`registry.gateway.internal` is a placeholder for your registry.',
  '',
  `Every value stands in \`values.yaml\` with its description; \`values.schema.json\` refuses the others. The guide is \`docs/charts/${name}.md\` of the repository, the reference \`docs/reference/charts/${name}.md\`, the upgrade notes \`docs/upgrading.md\`.`,
];

const LIBRARY =
  'A library chart: other charts depend on it and carry it in their packages. It is not installed by itself.';

/** Returns the `README.md` of a packaged chart. */
function chartReadme(facts: ChartFacts): string {
  const use = facts.type === 'library' ? [LIBRARY] : useOf(facts);
  return [`# ${facts.name}`, '', facts.description, '', ...use, ''].join('\n');
}

const timeout = findServerBounds('timeout');
const identifier = readFieldBounds('MCPServerSpec', 'toolPrefix');
const argument = readFieldBounds('Family', 'instanceArg');
const scopes = readFieldBounds('TokenExchange', 'scopes');
const headerName = readFieldBounds('HeadersFrom', 'name');
const objectName = readFieldBounds('SecretKeyRef', 'name');
const objectKey = readFieldBounds('SecretKeyRef', 'key');
const secretName = readFieldBounds('ClientCredentialsSecretRef', 'name');

/** Constraints of the resource `MCPServer` for the templates of `agent-platform-mcps`, by template name. */
const serverLimits: Readonly<Record<string, string | number>> = {
  'timeout.min': timeout.min,
  'timeout.max': timeout.max,
  'label.pattern': DNS_LABEL.source,
  'labelValue.pattern': LABEL_VALUE.source,
  'url.max': MAX_URL_CHARS,
  'url.pattern': HTTP_URL.source,
  'httpsUrl.pattern': HTTPS_URL.source,
  'issuer.pattern': ISSUER_URL.source,
  'identifier.max': identifier.maxLength,
  'identifier.pattern': identifier.pattern,
  'argument.max': argument.maxLength,
  'argument.pattern': argument.pattern,
  'scopes.max': scopes.maxLength,
  'scopes.pattern': scopes.pattern,
  'headerName.max': headerName.maxLength,
  'headerName.pattern': headerName.pattern,
  'objectName.max': objectName.maxLength,
  'objectName.pattern': objectName.pattern,
  'objectKey.max': objectKey.maxLength,
  'objectKey.pattern': objectKey.pattern,
  'secretName.max': secretName.maxLength,
  'secretName.pattern': secretName.pattern,
};

const HERE = 'packages/charts';

/** Definitions of the chart values, by chart. */
export const valuesOf: Readonly<Record<string, z.ZodType>> = {
  agent: agentValues,
  'agent-manager': agentManagerValues,
  'agent-platform': agentPlatformValues,
  'agent-platform-mcps': agentPlatformMcpsValues,
  gateway: gatewayValues,
  'mcp-kubernetes': mcpKubernetesValues,
  'model-manager': modelManagerValues,
  portal: portalValues,
  standalone: standaloneValues,
};

/** The key that Helm adds to the values of a chart with the library chart as dependency. */
const LIBRARY_VALUES: ValueSchema = {
  type: 'object',
  description: 'Set by Helm for the chart of shared templates, which has no values.',
};

const isAlone = (chart: string): boolean => chart === 'agent';

const schemaFile = (chart: string, values: z.ZodType): ValueSchema => {
  const schema = createChartSchema(values, 'whole');
  if (isAlone(chart)) return schema;
  return { ...schema, properties: { ...schema.properties, library: LIBRARY_VALUES } };
};

const templates: readonly GeneratedFile[] = [
  {
    path: `${HERE}/library/templates/_generated.tpl`,
    text: () =>
      renderConstantsTemplate('library', {
        defaultApiGroup: DEFAULT_API_GROUP,
        defaultLabelDomain: DEFAULT_LABEL_DOMAIN,
        toolsetHeader: TOOLSET_HEADER,
        ...createPresetConstants(),
      }),
  },
  {
    path: `${HERE}/gateway/templates/_generated.tpl`,
    text: () =>
      renderConstantsTemplate('gateway', {
        defaultPort: readConfigurationDefault('http.port'),
        defaultHealthPort: DEFAULT_HEALTH_PORT,
        defaultDrainSeconds: readConfigurationDefault('http.drainSeconds'),
        defaultRequestTimeoutSeconds: readConfigurationDefault('http.requestTimeoutSeconds'),
        reservedParameters: listReservedParameters().join(', '),
        stdioFields: REFUSED_ELSEWHERE.stdio.join(' '),
        remoteFields: REFUSED_ELSEWHERE.remote.join(' '),
      }),
  },
  {
    path: `${HERE}/portal/templates/_generated.tpl`,
    text: () =>
      renderConstantsTemplate('portal', { gatewayPort: readConfigurationDefault('http.port') }),
  },
  {
    path: `${HERE}/agent/templates/_generated.tpl`,
    text: () =>
      renderConstantsTemplate('agent', {
        maxInlineSelectors: MAX_INLINE_SELECTORS,
        toolsetHeader: TOOLSET_HEADER,
      }),
  },
  {
    path: `${HERE}/agent-platform/templates/_generated.tpl`,
    text: () => renderConstantsTemplate('agent-platform', { gatewayFloor: GATEWAY_FLOOR }),
  },
  {
    path: `${HERE}/agent-platform-mcps/templates/_generated.tpl`,
    text: () => renderConstantsTemplate('agent-platform-mcps', serverLimits),
  },
];

const CRD_NOTE = '# Generated from the definitions of the fields by `pnpm gen`.\n';

/** The CRDs, which Helm installs before the gateway and never changes. */
const definitions: readonly GeneratedFile[] = [
  { path: `${HERE}/gateway/crds/mcpservers.yaml`, text: () => CRD_NOTE + formatCrd('MCPServer') },
  { path: `${HERE}/gateway/crds/workflows.yaml`, text: () => CRD_NOTE + formatCrd('Workflow') },
  {
    path: `${HERE}/gateway/crds/workflowexecutions.yaml`,
    text: () => CRD_NOTE + formatCrd('WorkflowExecution'),
  },
];

/** The values as the reference has them: of `config.yaml` only what differs in a pod. */
const referenceSchema = (values: z.ZodType): ValueSchema =>
  createChartSchema(values, 'differences');

const sharedValues = () => findSharedValues(Object.values(valuesOf).map(referenceSchema));

const valueFiles: readonly GeneratedFile[] = Object.entries(valuesOf).flatMap(([chart, values]) => [
  {
    path: `${HERE}/${chart}/values.schema.json`,
    text: () => `${JSON.stringify(schemaFile(chart, values), null, 2)}\n`,
  },
  {
    path: `${HERE}/${chart}/values.yaml`,
    text: () => renderValuesYaml(chart, createChartSchema(values)),
  },
  {
    path: `docs/reference/charts/${chart}.md`,
    text: () => renderValuesReference(chart, referenceSchema(values), sharedValues()),
  },
]);

const factsOf = async (chart: ChartName): Promise<ChartFacts> =>
  parse(await readFile(join(import.meta.dirname, chart, 'Chart.yaml'), 'utf8')) as ChartFacts;

const readmes: readonly GeneratedFile[] = CHARTS.map((chart) => ({
  path: `${HERE}/${chart}/README.md`,
  text: async () => chartReadme(await factsOf(chart)),
}));

/** The values, schemas, references and pointers of the charts, and the constants that their templates need. */
export const generated: readonly GeneratedFile[] = [
  ...valueFiles,
  {
    path: `docs/reference/charts/${SHARED_PAGE}.md`,
    text: () => renderSharedReference(sharedValues()),
  },
  ...templates,
  ...readmes,
  ...definitions,
];
