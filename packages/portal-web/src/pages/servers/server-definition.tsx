import type { ReactNode } from 'react';
import { YamlText } from '../../display/yaml-text.tsx';
import { definitionText } from './definition-text.ts';
import { useApiGroup } from './use-servers.ts';
import type { ServerFacts } from './server-facts.ts';

/** The definition of a server as YAML, without its secrets. */
export const ServerDefinition = ({ server }: { readonly server: ServerFacts }): ReactNode => (
  <YamlText label="Definition as YAML" text={definitionText(server, useApiGroup())} />
);
