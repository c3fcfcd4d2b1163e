import type { ReactNode } from 'react';
import { YamlText } from '../../display/text-blocks.tsx';
import { formatDefinition, type ServerSummary, useApiGroup } from './server-facts.ts';

/** The definition of a server as YAML, without its secrets. */
export const ServerDefinition = ({
  server,
}: {
  readonly server: ServerSummary;
  readonly isReadOnly: boolean;
}): ReactNode => (
  <YamlText label="Definition as YAML" text={formatDefinition(server, useApiGroup())} />
);
