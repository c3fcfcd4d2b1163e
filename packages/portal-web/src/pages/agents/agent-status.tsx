import { Alert, Badge, Group, List, Stack, Text, Title } from '@mantine/core';
import type { AgentStatus as Status } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageSection } from '../../display/page-section.tsx';
import { RecordTable, type RecordColumn } from '../../display/record-table.tsx';
import { statusText } from './status-text.ts';
import { useAgentStatus, type AgentName } from './use-agent.ts';

const VERDICTS: Readonly<Record<Status['verdict'], readonly [text: string, color: string]>> = {
  ready: ['Ready', 'teal'],
  progressing: ['Progressing', 'blue'],
  failed: ['Failed', 'red'],
  unknown: ['Unknown', 'gray'],
};

const Verdict = ({ status: { verdict } }: { readonly status: Status }): ReactNode => {
  const [text, color] = VERDICTS[verdict];
  return (
    <Badge variant="light" color={color} tt="none">
      {text}
    </Badge>
  );
};

interface ShownCondition {
  readonly part: string;
  readonly condition: Status['agent']['conditions'][number];
}

const COLUMNS: readonly RecordColumn<ShownCondition>[] = [
  { label: 'Part', render: ({ part }) => part },
  { label: 'Condition', render: ({ condition }) => condition.type },
  { label: 'Status', render: ({ condition }) => condition.status },
  {
    label: 'Message',
    render: ({ condition: { message, reason } }) => <bdi>{message ?? reason}</bdi>,
  },
];

const Conditions = ({ status }: { readonly status: Status }): ReactNode => {
  const shown = [
    ...status.helmRelease.conditions.map((condition) => ({ part: 'Release', condition })),
    ...status.agent.conditions.map((condition) => ({ part: 'Agent', condition })),
    ...status.deployment.conditions.map((condition) => ({ part: 'Deployment', condition })),
  ];
  if (shown.length === 0) return null;
  return (
    <RecordTable
      label="Conditions"
      records={shown}
      keyOf={({ part, condition }) => `${part}/${condition.type}`}
      columns={COLUMNS}
    />
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

const Explanation = ({ text }: { readonly text: string | undefined }): ReactNode =>
  text === undefined ? null : <Text size="sm">{text}</Text>;

const Facts = ({ status }: { readonly status: Status }): ReactNode => (
  <Stack gap="sm">
    <Group gap="xs">
      <Verdict status={status} />
      <Text size="sm" role="status">
        {status.summary}
      </Text>
    </Group>
    <Explanation text={statusText(status)} />
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
      {data === undefined && error === null && <LoadingSign label="Loading the status" />}
    </PageSection>
  );
};
