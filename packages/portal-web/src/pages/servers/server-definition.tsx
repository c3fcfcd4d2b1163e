import type { ReactNode } from 'react';
import { YamlText } from '../../display/text-blocks.tsx';
import { stringify } from 'yaml';
import { type ServerSummary, useApiGroup } from './server-facts.ts';

/**
 * Returns the definition of a server as YAML. The gateway shows secrets as `***`.
 *
 * @param apiGroup the API group of the gateway's resources; `undefined` while it is unknown
 */
export const formatDefinition = (
  { name, labels, spec }: Pick<ServerSummary, 'name' | 'labels' | 'spec'>,
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

/** The definition of a server as YAML, without its secrets. */
export const ServerDefinition = ({
  server,
}: {
  readonly server: ServerSummary;
  readonly isReadOnly: boolean;
}): ReactNode => (
  <YamlText label="Definition as YAML" text={formatDefinition(server, useApiGroup())} />
);
