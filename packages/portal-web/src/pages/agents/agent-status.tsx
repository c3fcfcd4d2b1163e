import { Alert, Badge, Group, List, Loader, Stack, Table, Text, Title } from '@mantine/core';
import type { AgentStatus as Status } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';
import { PageSection } from '../../display/page-section.tsx';
import { useAgentStatus, type AgentName } from './use-agent.ts';

const COLORS: Readonly<Record<Status['verdict'], string>> = {
  ready: 'teal',
  progressing: 'blue',
  failed: 'red',
  unknown: 'gray',
};

const Conditions = ({ status }: { readonly status: Status }): ReactNode => {
  const rows = [
    ...status.helmRelease.conditions.map((condition) => ['Release', condition] as const),
    ...status.agent.conditions.map((condition) => ['Agent', condition] as const),
    ...status.deployment.conditions.map((condition) => ['Deployment', condition] as const),
  ];
  if (rows.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label="Conditions">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Of</Table.Th>
            <Table.Th>Condition</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Message</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([of, { type, status: value, message, reason }]) => (
            <Table.Tr key={`${of}/${type}`}>
              <Table.Td>{of}</Table.Td>
              <Table.Td>{type}</Table.Td>
              <Table.Td>{value}</Table.Td>
              <Table.Td>
                <bdi>{message ?? reason}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

const Lines = ({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly string[];
}): ReactNode =>
  lines.length === 0 ? null : (
    <div>
      <Title order={3} size="h5">
        {title}
      </Title>
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={line}>
            <bdi>{line}</bdi>
          </List.Item>
        ))}
      </List>
    </div>
  );

const podLine = ({ name, phase, ready, restarts }: Status['pods'][number]): string =>
  `${name}: ${phase}, ${ready ? 'ready' : 'not ready'}, ${restarts} restarts`;

const eventLine = ({ reason, object, message, count }: Status['events'][number]): string =>
  `${object}: ${reason}: ${message}${count > 1 ? ` (${count} times)` : ''}`;

const Facts = ({ status }: { readonly status: Status }): ReactNode => (
  <Stack gap="sm">
    <Group gap="xs">
      <Badge variant="light" color={COLORS[status.verdict]} tt="none">
        {status.verdict}
      </Badge>
      <Text size="sm" role="status">
        {status.summary}
      </Text>
    </Group>
    <Conditions status={status} />
    <Lines title="Pods" lines={status.pods.map(podLine)} />
    <Lines title="Events" lines={[...new Set(status.events.map(eventLine))]} />
  </Stack>
);

/** The status of an agent, and why: release, deployment, pods and events. */
export const AgentStatus = ({ name }: { readonly name: AgentName }): ReactNode => {
  const { data, error } = useAgentStatus(name);
  return (
    <PageSection title="Status">
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data !== undefined && <Facts status={data} />}
      {data === undefined && error === null && <Loader size="sm" aria-label="Loading the status" />}
    </PageSection>
  );
};
