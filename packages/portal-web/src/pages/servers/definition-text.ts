import { stringify } from 'yaml';
import type { ServerFacts } from './server-facts.ts';

/**
 * Returns the definition of a server as YAML. The gateway shows secrets as `***`.
 *
 * @param apiGroup the API group of the gateway's resources; `undefined` while it is unknown
 */
export const definitionText = (
  { name, labels, spec }: Pick<ServerFacts, 'name' | 'labels' | 'spec'>,
  apiGroup: string | undefined,
): string =>
  stringify(
    {
      ...(apiGroup !== undefined && { apiVersion: `${apiGroup}/v1alpha1` }),
      kind: 'MCPServer',
      metadata: { name, ...(Object.keys(labels).length > 0 && { labels }) },
      spec,
    },
    { lineWidth: 0 },
  );
