import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCoreCommand } from '../../queries/use-core-command.ts';
import { useDefinitionChecks } from '../../queries/use-definition-checks.ts';
import { definitionOf, type ServerDraft } from './server-draft.ts';

const DEBOUNCE_MS = 300;

const isUntouched = ({ name, url, command }: ServerDraft): boolean =>
  name === '' && url === '' && command === '';

const Problems = ({ problems }: { readonly problems: readonly string[] }): ReactNode => (
  <Alert color="orange" title="The gateway does not accept this server yet" role="status">
    <List size="sm">
      {[...new Set(problems)].map((problem) => (
        <List.Item key={problem} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{problem}</bdi>
        </List.Item>
      ))}
    </List>
  </Alert>
);

/** Checks a draft by the rules of the gateway while it changes, and creates the server. */
export const CreateServer = ({ draft }: { readonly draft: ServerDraft }): ReactNode => {
  const [text] = useDebouncedValue(JSON.stringify(definitionOf(draft)), DEBOUNCE_MS);
  const [problems] = useDefinitionChecks([JSON.parse(text) as Record<string, unknown>]) ?? [];
  const command = useCoreCommand();
  const navigate = useNavigate();
  const create = (): void => {
    const args = definitionOf(draft);
    const { name } = draft;
    command.mutate(
      { tool: 'core_mcpserver_create', args },
      { onSuccess: () => void navigate({ to: '/servers/$name', params: { name: name.trim() } }) },
    );
  };
  return (
    <>
      {problems !== undefined && problems.length > 0 && !isUntouched(draft) && (
        <Problems problems={problems} />
      )}
      {problems?.length === 0 && <Text size="sm">The gateway accepts this server.</Text>}
      {command.error !== null && (
        <Alert color="red" role="alert">
          <bdi>{command.error.message}</bdi>
        </Alert>
      )}
      <Group>
        <Button loading={command.isPending} disabled={problems?.length !== 0} onClick={create}>
          Create
        </Button>
      </Group>
    </>
  );
};
