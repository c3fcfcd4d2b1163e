import { Alert, Stack, Text, Timeline, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingArea } from '../../display/loading.tsx';
import { LocalTime } from '../../display/local-time.tsx';
import { AcceptChange } from './accept-change.tsx';
import { ChangedFields } from './changed-fields.tsx';
import type { ChangeEvent, PendingChange } from './tool-changes.ts';
import type { ToolDetail } from './tool-detail.ts';
import { useToolChanges, type DeclaredTool } from './use-tool-changes.ts';

const Pending = ({
  tool,
  declared,
  pending,
}: {
  readonly tool: ToolDetail;
  readonly declared: DeclaredTool;
  readonly pending: PendingChange;
}): ReactNode => (
  <Alert color="yellow" title="The server declares this tool differently than it was accepted">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        Last changed <LocalTime at={pending.at} />. Changed since the acceptance:
      </Text>
      <ChangedFields tool={tool} pending={pending} />
      {pending.isWidened && (
        <Text size="sm" fw={600}>
          It newly declares that it only reads.
          {pending.isHeld && ' This does not count until it is accepted.'}
        </Text>
      )}
      <AcceptChange declared={declared} />
    </Stack>
  </Alert>
);

const TITLES: { readonly [Kind in ChangeEvent['kind']]: string } = {
  changed: 'Changed',
  widened: 'Newly declares that it only reads',
  accepted: 'Accepted',
};

const History = ({ history }: Pick<DeclaredTool, 'history'>): ReactNode =>
  history.length === 0 ? (
    <Text size="sm">No change is among the events that the gateway has kept.</Text>
  ) : (
    <Timeline bulletSize={16} lineWidth={2}>
      {history.map(({ kind, at, message, count }, index) => (
        <Timeline.Item key={index} title={TITLES[kind]}>
          <Text size="sm" c="dimmed">
            <LocalTime at={at} />
            {count > 1 && `, ${count} times`}
          </Text>
          <Text component="bdi" size="sm" display="block" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );

const Declared = ({
  tool,
  declared,
}: {
  readonly tool: ToolDetail;
  readonly declared: DeclaredTool;
}): ReactNode => (
  <Stack component="section" gap="sm" aria-label={`Changes at ${declared.server}`}>
    <Title order={2} size="h5">
      <bdi>{declared.server}</bdi>
    </Title>
    {declared.pending === undefined ? (
      <Text size="sm">The server declares this tool as it was accepted.</Text>
    ) : (
      <Pending tool={tool} declared={declared} pending={declared.pending} />
    )}
    <History history={declared.history} />
  </Stack>
);

/** The changes of a tool at each server that declares it, with the way to accept them. */
export const ChangeHistory = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const changes = useToolChanges(tool);
  if (changes.isPending) return <LoadingArea h={200} />;
  if (changes.isError)
    return (
      <Alert color="red" role="alert">
        {changes.error.message}
      </Alert>
    );
  return (
    <Stack gap="lg" maw={720}>
      {changes.data.map((declared) => (
        <Declared key={declared.server} tool={tool} declared={declared} />
      ))}
      {changes.data.length === 0 && (
        <Text size="sm">The changes of this tool cannot be attributed to a server.</Text>
      )}
    </Stack>
  );
};
