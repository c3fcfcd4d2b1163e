import { Group, Stack, Text } from '@mantine/core';
import type { CatalogRow } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import type { ServerFacts } from './server-facts.ts';
import { ServerProblem } from './server-problem.tsx';
import { countText } from './count-text.ts';
import { ServerState } from './server-state.tsx';

const ServerLink = ({ name }: { readonly name: string }): ReactNode => (
  <PageLink to="/servers/$name" params={{ name }} inherit>
    {name}
  </PageLink>
);

/** Returns the name of a row: a link to its server, or the name of a family. */
export const nameOfRow = ({ kind, name }: CatalogRow): ReactNode =>
  kind === 'family' ? `${name} (family)` : <ServerLink name={name} />;

const countsText = ({ resourcesCount = 0, promptsCount = 0 }: ServerFacts): string =>
  [
    resourcesCount > 0 ? countText(resourcesCount, 'resource') : '',
    promptsCount > 0 ? countText(promptsCount, 'prompt') : '',
  ]
    .filter(Boolean)
    .join(', ');

/** One server of a row: its state, what it has besides tools, and its last error. */
export const ServerLine = ({
  server,
  row,
}: {
  readonly server: ServerFacts | undefined;
  readonly row: CatalogRow;
}): ReactNode =>
  server === undefined ? null : (
    <Stack gap={2} pl={row.kind === 'family' ? 'md' : 0}>
      <Group gap="xs">
        {row.kind === 'family' && (
          <Text size="sm" component="bdi">
            <ServerLink name={server.name} />
          </Text>
        )}
        <ServerState server={server} />
        <Text size="sm">{countsText(server)}</Text>
      </Group>
      {server.description !== undefined && (
        <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{server.description}</bdi>
        </Text>
      )}
      <ServerProblem server={server} />
    </Stack>
  );
