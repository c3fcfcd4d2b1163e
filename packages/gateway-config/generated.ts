import type { GeneratedFile } from '@gateway/repo-checks';
import { configJsonSchema } from './src/config-json-schema.ts';

/** `config.schema.json`: the output of `gateway schema config`. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'packages/gateway-config/config.schema.json',
    text: () => `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
  },
];
