import type { GeneratedFile } from '@gateway/repo-checks';
import manifest from './package.json' with { type: 'json' };
import { refusalsReference } from './refusals-reference.ts';
import { formatOpenApiYaml } from './src/openapi/open-api-yaml.ts';

const NOTE = '# Generated from the table of operations by `pnpm gen`.\n';

/** The table of refusals and the OpenAPI document of this version, as `/api/v1/openapi.yaml` serves it. */
export const generated: readonly GeneratedFile[] = [
  { path: 'docs/reference/agent-manager-refusals.md', text: refusalsReference },
  {
    path: 'docs/reference/agent-manager.openapi.yaml',
    text: () => NOTE + formatOpenApiYaml({ version: manifest.version }),
  },
];
