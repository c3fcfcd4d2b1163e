import { Badge, Card, Checkbox, Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { addressOf } from '../servers/program-question.ts';
import type { PlannedServer } from './planned-servers.ts';
import type { CreationState } from './use-creation.ts';

const Lines = ({
  lines,
  color,
  label,
}: {
  readonly lines: readonly string[];
  readonly color: string;
  readonly label: string;
}): ReactNode =>
  lines.length === 0 ? null : (
    <List size="sm" c={color} aria-label={label}>
      {[...new Set(lines)].map((line) => (
        <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{line}</bdi>
        </List.Item>
      ))}
    </List>
  );

const Result = ({
  name,
  state,
}: {
  readonly name: string;
  readonly state: CreationState | undefined;
}): ReactNode => {
  if (state === undefined) return null;
  if (state.kind === 'waiting' || state.kind === 'running')
    return (
      <Badge variant="light" tt="none">
        {state.kind === 'waiting' ? 'Waiting' : 'Running'}
      </Badge>
    );
  return (
    <Text size="sm" c={state.kind === 'created' ? 'teal' : 'red'} role="status">
      <bdi>{state.message}</bdi>
      {state.kind === 'created' && (
        <>
          {'. '}
          <PageLink to="/servers/$name" params={{ name }} inherit>
            Show it
          </PageLink>
        </>
      )}
    </Text>
  );
};

/** A change of a person to one server of an import. */
export type ServerChange = { readonly name: string } | { readonly isChosen: boolean };

interface CardProps {
  readonly server: PlannedServer;
  readonly state: CreationState | undefined;
  readonly onChange: (change: ServerChange) => void;
}

const Choice = ({ server, state, onChange }: CardProps): ReactNode => {
  const isFixed = state !== undefined && state.kind !== 'failed';
  return (
    <Group gap="sm" align="flex-end">
      <Checkbox
        aria-label={`Create ${server.source}`}
        checked={server.isChosen && !server.isRefused}
        disabled={isFixed || server.isRefused}
        mb={8}
        onChange={({ currentTarget }) => onChange({ isChosen: currentTarget.checked })}
      />
      <TextInput
        label="Name"
        value={server.name}
        disabled={isFixed}
        flex={1}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
    </Group>
  );
};

/** One server of an import: whether and how it will be created, and the result. */
export const PlannedServerCard = (props: CardProps): ReactNode => {
  const { server, state } = props;
  const address = addressOf(server.definition);
  return (
    <Card withBorder padding="sm" role="listitem">
      <Stack gap="xs">
        <Choice {...props} />
        {address !== '' && (
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            <bdi>{address}</bdi>
          </Code>
        )}
        <Lines lines={server.notes} color="dimmed" label={`Notes on ${server.source}`} />
        {state?.kind !== 'created' && (
          <Lines lines={server.problems} color="red" label={`Problems of ${server.source}`} />
        )}
        <Result name={server.name} state={state} />
      </Stack>
    </Card>
  );
};
