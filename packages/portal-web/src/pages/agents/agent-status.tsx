import type { AgentStatus as Status } from '@gateway/agent-manager-client';
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Loaded } from '../../display/loading.tsx';
import { PageSection, TextList } from '../../display/page-parts.tsx';
import { type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import { type AgentName, useAgentStatus } from '../../queries/agents.ts';

type StatusFacts = Pick<Status, 'verdict' | 'helmRelease' | 'agent'>;

/** No part of the release was installed, or it is not known whether. */
const isUntouched = ({ helmRelease: { ready, conditions }, agent }: StatusFacts): boolean =>
  ready === null && conditions.length === 0 && !agent.exists;

/** Returns what a verdict means and what happens next; `undefined` for one that needs no explanation. */
export const explainStatus = (status: StatusFacts): string | undefined => {
  if (status.helmRelease.deleting) return undefined;
  if (status.verdict === 'unknown')
    return 'Nothing reports whether the agent runs. Its parts below show what there is of it in the cluster.';
  if (status.verdict !== 'progressing') return undefined;
  return isUntouched(status)
    ? 'The release is stored, and Flux in the cluster has not installed it yet. That takes a minute or two. Where agent-manager stores releases in files, as in the example, there is no cluster and no Flux: nothing installs the agent, and this does not end.'
    : 'Flux in the cluster installs the release, and the agent is ready when its pods run.';
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
      recordKey={({ part, condition }) => `${part}/${condition.type}`}
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
      <TextList texts={lines} />
    </div>
  );

const formatPod = ({ name, phase, ready, restarts }: Status['pods'][number]): string =>
  `${name}: ${phase}, ${ready ? 'ready' : 'not ready'}, ${restarts} restarts`;

const formatEvent = ({ reason, object, message, count }: Status['events'][number]): string =>
  `${object}: ${reason}: ${message}${count > 1 ? ` (${count} times)` : ''}`;

const Explanation = ({ text }: { readonly text: string | undefined }): ReactNode =>
  text === undefined ? null : <Text size="sm">{text}</Text>;

const Facts = ({ status }: { readonly status: Status }): ReactNode => (
  <Stack gap="sm">
    <Text size="sm" role="status">
      {status.summary}
    </Text>
    <Explanation text={explainStatus(status)} />
    <Conditions status={status} />
    <Lines title="Pods" lines={status.pods.map(formatPod)} />
    <Lines title="Events" lines={[...new Set(status.events.map(formatEvent))]} />
  </Stack>
);

/** The status of an agent, and why: release, deployment, pods and events. */
export const AgentStatus = ({ name }: { readonly name: AgentName }): ReactNode => {
  return (
    <PageSection title="Status">
      <Loaded query={useAgentStatus(name)} label="Loading the status">
        {(status) => <Facts status={status} />}
      </Loaded>
    </PageSection>
  );
};
