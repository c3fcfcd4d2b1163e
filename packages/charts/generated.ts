import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  crdYaml,
  DEFAULT_API_GROUP,
  DEFAULT_LABEL_DOMAIN,
  REFUSED_ELSEWHERE,
} from '@gateway/crd-schemas';
import { DEFAULT_HEALTH_PORT } from '@gateway/gateway-config';
import { reservedParameters, constantsTemplate, presetConstants } from './src/chart-constants.ts';
import type { GeneratedFile } from '@gateway/repo-checks';
import { MAX_INLINE_SELECTORS, TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { parse } from 'yaml';
import type { z } from 'zod';
import { CHARTS, type ChartName } from './src/assemble-charts.ts';
import { chartReadme, type ChartFacts } from './src/chart-readme.ts';
import { chartSchema, type ValueSchema, configurationDefault } from './src/chart-schema.ts';
import { valuesReference } from './src/values-reference.ts';
import { valuesYaml } from './src/values-yaml.ts';
import { agentManagerValues } from './values/agent-manager.ts';
import { agentPlatformMcpsValues } from './values/agent-platform-mcps.ts';
import { agentPlatformValues } from './values/agent-platform.ts';
import { agentValues } from './values/agent.ts';
import { GATEWAY_FLOOR } from './values/fragments/platform-presets.ts';
import { gatewayValues } from './values/gateway.ts';
import { mcpKubernetesValues } from './values/mcp-kubernetes.ts';
import { modelManagerValues } from './values/model-manager.ts';
import { portalValues } from './values/portal.ts';
import { serverLimits } from './values/server-limits.ts';
import { standaloneValues } from './values/standalone.ts';

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
  const schema = chartSchema(values, true);
  if (isAlone(chart)) return schema;
  return { ...schema, properties: { ...schema.properties, library: LIBRARY_VALUES } };
};

const templates: readonly GeneratedFile[] = [
  {
    path: `${HERE}/library/templates/_generated.tpl`,
    text: () =>
      constantsTemplate('library', {
        defaultApiGroup: DEFAULT_API_GROUP,
        defaultLabelDomain: DEFAULT_LABEL_DOMAIN,
        toolsetHeader: TOOLSET_HEADER,
        ...presetConstants(),
      }),
  },
  {
    path: `${HERE}/gateway/templates/_generated.tpl`,
    text: () =>
      constantsTemplate('gateway', {
        defaultPort: configurationDefault('http.port'),
        defaultHealthPort: DEFAULT_HEALTH_PORT,
        defaultDrainSeconds: configurationDefault('http.drainSeconds'),
        defaultRequestTimeoutSeconds: configurationDefault('http.requestTimeoutSeconds'),
        reservedParameters: reservedParameters().join(', '),
        stdioFields: REFUSED_ELSEWHERE.stdio.join(' '),
        remoteFields: REFUSED_ELSEWHERE.remote.join(' '),
      }),
  },
  {
    path: `${HERE}/portal/templates/_generated.tpl`,
    text: () => constantsTemplate('portal', { gatewayPort: configurationDefault('http.port') }),
  },
  {
    path: `${HERE}/agent/templates/_generated.tpl`,
    text: () =>
      constantsTemplate('agent', {
        maxInlineSelectors: MAX_INLINE_SELECTORS,
        toolsetHeader: TOOLSET_HEADER,
      }),
  },
  {
    path: `${HERE}/agent-platform/templates/_generated.tpl`,
    text: () => constantsTemplate('agent-platform', { gatewayFloor: GATEWAY_FLOOR }),
  },
  {
    path: `${HERE}/agent-platform-mcps/templates/_generated.tpl`,
    text: () => constantsTemplate('agent-platform-mcps', serverLimits),
  },
];

const CRD_NOTE = '# Generated from the definitions of the fields by `pnpm gen`.\n';

/** The CRDs, which Helm installs before the gateway and never changes. */
const definitions: readonly GeneratedFile[] = [
  { path: `${HERE}/gateway/crds/mcpservers.yaml`, text: () => CRD_NOTE + crdYaml('MCPServer') },
  { path: `${HERE}/gateway/crds/workflows.yaml`, text: () => CRD_NOTE + crdYaml('Workflow') },
  {
    path: `${HERE}/gateway/crds/workflowexecutions.yaml`,
    text: () => CRD_NOTE + crdYaml('WorkflowExecution'),
  },
];

const valueFiles: readonly GeneratedFile[] = Object.entries(valuesOf).flatMap(([chart, values]) => [
  {
    path: `${HERE}/${chart}/values.schema.json`,
    text: () => `${JSON.stringify(schemaFile(chart, values), null, 2)}\n`,
  },
  { path: `${HERE}/${chart}/values.yaml`, text: () => valuesYaml(chart, chartSchema(values)) },
  {
    path: `docs/reference/charts/${chart}.md`,
    text: () => valuesReference(chart, chartSchema(values)),
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
  ...templates,
  ...readmes,
  ...definitions,
];
