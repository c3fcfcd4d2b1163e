import { Code, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fact } from '../../display/fact.tsx';
import { LocalTime } from '../../display/local-time.tsx';
import { countText } from './count-text.ts';
import type { ServerFacts } from './server-facts.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const addressOf = ({ spec: { command, args, url } }: ServerFacts): string =>
  [textOf(command), ...(Array.isArray(args) ? args.map(textOf) : []), textOf(url)]
    .filter((part) => part !== '')
    .join(' ');

const countsOf = (server: ServerFacts): string => {
  const { toolsCount = 0, resourcesCount, promptsCount } = server;
  return [
    countText(toolsCount, 'tool'),
    ...(resourcesCount === undefined ? [] : [countText(resourcesCount, 'resource')]),
    ...(promptsCount === undefined ? [] : [countText(promptsCount, 'prompt')]),
  ].join(', ');
};

const Times = ({ server }: { readonly server: ServerFacts }): ReactNode => (
  <>
    {server.connectedAt !== undefined && (
      <Fact size="sm" label="Connected since">
        <LocalTime at={server.connectedAt} />
      </Fact>
    )}
    {server.nextRetryAfter !== undefined && (
      <Fact size="sm" label="Next attempt">
        <LocalTime at={server.nextRetryAfter} />
      </Fact>
    )}
  </>
);

/** The facts about a server as it is now. */
export const ServerStatus = ({ server }: { readonly server: ServerFacts }): ReactNode => (
  <Stack gap="sm">
    <Fact size="sm" label="Reached by">
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <bdi>{addressOf(server)}</bdi>
      </Code>
    </Fact>
    <Facts server={server} />
  </Stack>
);

const Facts = ({ server }: { readonly server: ServerFacts }): ReactNode => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
    <Fact size="sm" label="Type">
      {textOf(server.spec['type'])}
    </Fact>
    <Fact size="sm" label="It has">
      {countsOf(server)}
    </Fact>
    <Times server={server} />
    <Fact size="sm" label="Restarts">
      {server.restartCount ?? 0}
    </Fact>
    {server.protocolVersion !== undefined && (
      <Fact size="sm" label="Protocol">
        {server.protocolVersion}
      </Fact>
    )}
    {server.registeredBy !== undefined && (
      <Fact size="sm" label="Registered by">
        <bdi>{server.registeredBy}</bdi>
      </Fact>
    )}
    {server.changedTools.length > 0 && (
      <Fact size="sm" label="Changed since they were accepted">
        <bdi>{server.changedTools.join(', ')}</bdi>
      </Fact>
    )}
  </SimpleGrid>
);
