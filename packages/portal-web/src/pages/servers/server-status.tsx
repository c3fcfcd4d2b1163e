import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LocalTime } from '../../display/local-time.tsx';
import { countText } from './count-text.ts';
import type { ServerFacts } from './server-facts.ts';

const Fact = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode => (
  <div>
    <Text size="sm" fw={600}>
      {label}
    </Text>
    <Text component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
);

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
      <Fact label="Connected since">
        <LocalTime at={server.connectedAt} />
      </Fact>
    )}
    {server.nextRetryAfter !== undefined && (
      <Fact label="Next attempt">
        <LocalTime at={server.nextRetryAfter} />
      </Fact>
    )}
  </>
);

/** The facts about a server as it is now. */
export const ServerStatus = ({ server }: { readonly server: ServerFacts }): ReactNode => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
    <Fact label="Type">{textOf(server.spec['type'])}</Fact>
    <Fact label="Reached by">
      <bdi>{addressOf(server)}</bdi>
    </Fact>
    <Fact label="It has">{countsOf(server)}</Fact>
    <Times server={server} />
    <Fact label="Restarts">{server.restartCount ?? 0}</Fact>
    {server.protocolVersion !== undefined && <Fact label="Protocol">{server.protocolVersion}</Fact>}
    {server.registeredBy !== undefined && (
      <Fact label="Registered by">
        <bdi>{server.registeredBy}</bdi>
      </Fact>
    )}
    {server.changedTools.length > 0 && (
      <Fact label="Changed since they were accepted">
        <bdi>{server.changedTools.join(', ')}</bdi>
      </Fact>
    )}
  </SimpleGrid>
);
