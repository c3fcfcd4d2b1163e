import type { Agent } from '@gateway/agent-manager-client';
import {
  toDeclaredAccess,
  CARD_TEXTS,
  parseResolution,
  createToolsetCard,
} from '@gateway/toolset-composer';
import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../display/loading.tsx';
import { PageLink, PageTitle } from '../../display/page-parts.tsx';
import { type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import { AgentState } from './agent-parts.tsx';
import { useAgents, useUnreadableNamespaces } from '../../queries/agents.ts';

const IDLE = parseResolution({ kind: 'idle' });

/** The number of chips of an agent in a list. */
const SHOWN = 5;

/** The access that an agent declares, in one cell: no tools, a warning, or the first selectors. */
const AgentAccess = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const card = createToolsetCard(toDeclaredAccess(agent), IDLE);
  if (card.kind === 'no-tools') return <Text size="sm">{CARD_TEXTS.noTools}</Text>;
  if (card.kind === 'implicit-full-access')
    return (
      <Badge color="red" tt="none">
        {CARD_TEXTS.implicitFullAccess}
      </Badge>
    );
  const more = card.chips.length - SHOWN;
  return (
    <Group gap={4}>
      {card.isFullAccess && (
        <Badge color="red" tt="none">
          {CARD_TEXTS.fullAccess}
        </Badge>
      )}
      {card.chips.slice(0, SHOWN).map(({ selector }) => (
        <Badge key={selector} variant="default" tt="none" ff="monospace" maw={260}>
          <bdi>{selector}</bdi>
        </Badge>
      ))}
      {more > 0 && <Text size="sm">{`and ${more} more`}</Text>}
    </Group>
  );
};

const Name = ({
  agent: { namespace, name, displayName },
}: {
  readonly agent: Agent;
}): ReactNode => (
  <>
    <Anchor
      style={{ overflowWrap: 'anywhere' }}
      renderRoot={(props) => (
        <Link to="/agents/$namespace/$name" params={{ namespace, name }} {...props} />
      )}
    >
      <bdi>{displayName ?? name}</bdi>
    </Anchor>
    <Text size="xs" c="dimmed">
      <bdi>{`${namespace}/${name}`}</bdi>
    </Text>
  </>
);

const COLUMNS: readonly RecordColumn<Agent>[] = [
  { label: 'Name', render: (agent) => <Name agent={agent} /> },
  { label: 'State', render: (agent) => <AgentState agent={agent} /> },
  { label: 'Model', render: ({ modelConfig }) => <bdi>{modelConfig}</bdi> },
  { label: 'Toolset', render: (agent) => <AgentAccess agent={agent} /> },
];

const Empty = (): ReactNode => (
  <Text>
    There is no agent yet. <PageLink to="/agents/new">Create the first one</PageLink>: give it a
    name and a model, and choose its tools.
  </Text>
);

const Unreadable = (): ReactNode =>
  useUnreadableNamespaces().map(({ namespace, reason }) => (
    <Alert key={namespace} color="yellow" title={<bdi>{`Agents of ${namespace}`}</bdi>}>
      <bdi>{reason}</bdi>
    </Alert>
  ));

/** The agents that the user can read. */
export const AgentsPage = (): ReactNode => {
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle title="Agents" />
        <Button component={Link} to="/agents/new">
          New agent
        </Button>
      </Group>
      <Unreadable />
      <Loaded query={useAgents()} label="Loading the agents">
        {(agents) =>
          agents.length === 0 ? (
            <Empty />
          ) : (
            <RecordTable
              label="Agents"
              records={agents}
              recordKey={({ namespace, name }) => `${namespace}/${name}`}
              columns={COLUMNS}
            />
          )
        }
      </Loaded>
    </Stack>
  );
};
