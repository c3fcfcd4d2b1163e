import type { GeneratedFile } from '@gateway/repo-checks';
import type { z } from 'zod';
import { chartSchema } from './src/values/chart-schema.ts';
import { valuesYaml } from './src/values/values-yaml.ts';
import { agentValues } from './values/agent.ts';

const HERE = 'packages/charts';

const valuesOf: Readonly<Record<string, z.ZodType>> = {
  agent: agentValues,
};

/** The values, schemas and references of the charts, all from the definitions of the values. */
export const generated: readonly GeneratedFile[] = Object.entries(valuesOf).flatMap(
  ([chart, values]) => [
    {
      path: `${HERE}/${chart}/values.schema.json`,
      text: () => `${JSON.stringify(chartSchema(values), null, 2)}\n`,
    },
    { path: `${HERE}/${chart}/values.yaml`, text: () => valuesYaml(chartSchema(values)) },
  ],
);
