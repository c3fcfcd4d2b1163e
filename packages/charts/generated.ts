import type { GeneratedFile } from '@gateway/repo-checks';
import { MAX_INLINE_SELECTORS, TOOLSET_HEADER } from '@gateway/toolset-grammar';
import type { z } from 'zod';
import { chartSchema } from './src/values/chart-schema.ts';
import { constantsTemplate } from './src/values/constants-template.ts';
import { valuesReference } from './src/values/values-reference.ts';
import { valuesYaml } from './src/values/values-yaml.ts';
import { agentValues } from './values/agent.ts';
import { gatewayValues } from './values/gateway.ts';

const HERE = 'packages/charts';

/** The definition of the values of each chart that has values. */
export const valuesOf: Readonly<Record<string, z.ZodType>> = {
  agent: agentValues,
  gateway: gatewayValues,
};

const templates: readonly GeneratedFile[] = [
  {
    path: `${HERE}/agent/templates/_generated.tpl`,
    text: () =>
      constantsTemplate('agent', {
        maxInlineSelectors: MAX_INLINE_SELECTORS,
        toolsetHeader: TOOLSET_HEADER,
      }),
  },
];

const valueFiles: readonly GeneratedFile[] = Object.entries(valuesOf).flatMap(([chart, values]) => [
  {
    path: `${HERE}/${chart}/values.schema.json`,
    text: () => `${JSON.stringify(chartSchema(values), null, 2)}\n`,
  },
  { path: `${HERE}/${chart}/values.yaml`, text: () => valuesYaml(chartSchema(values)) },
  {
    path: `docs/reference/charts/${chart}.md`,
    text: () => valuesReference(chart, chartSchema(values)),
  },
]);

/** The values, schemas and references of the charts, and the constants that their templates need. */
export const generated: readonly GeneratedFile[] = [...valueFiles, ...templates];
