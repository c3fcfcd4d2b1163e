import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { showNotice } from '../../display/notice.ts';
import { useCoreCommand } from '../../queries/use-core-command.ts';
import { useDefinitionChecks } from '../../queries/use-definition-checks.ts';
import { ConfirmCommand } from '../servers/confirm-command.tsx';
import { programQuestion } from '../servers/program-question.ts';
import { definitionOf, type ServerDraft } from './server-draft.ts';

const DEBOUNCE_MS = 300;

const isUntouched = ({ name, url, command }: ServerDraft): boolean =>
  name === '' && url === '' && command === '';

const isNameless = ({ name }: ServerDraft): boolean => name.trim() === '';

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

/** Creates the server of a draft, after a question where the gateway will run a program. */
const useCreate = (draft: ServerDraft) => {
  const command = useCoreCommand();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const args = definitionOf(draft);
  const question = programQuestion([args]);
  const open = async (name: string, sentence: string): Promise<void> => {
    await navigate({ to: '/servers/$name', params: { name } });
    showNotice(sentence);
  };
  const create = (): void => {
    setAsking(false);
    const name = draft.name.trim();
    command.mutate(
      { tool: 'core_mcpserver_create', args },
      { onSuccess: (sentence) => void open(name, sentence) },
    );
  };
  return {
    command,
    start: () => (question === undefined ? create() : setAsking(true)),
    question: isAsking && question !== undefined && (
      <ConfirmCommand question={question} onConfirm={create} onCancel={() => setAsking(false)} />
    ),
  };
};

/** The verdict of the gateway about a draft; nothing before it has answered, and before the person has entered anything. */
const Verdict = ({
  draft,
  problems,
}: {
  readonly draft: ServerDraft;
  readonly problems: readonly string[] | undefined;
}): ReactNode => {
  if (isUntouched(draft)) return null;
  if (isNameless(draft))
    return <Text size="sm">Enter a name, with which the gateway checks the server.</Text>;
  if (problems === undefined) return null;
  return problems.length === 0 ? (
    <Text size="sm">The gateway accepts this server.</Text>
  ) : (
    <Problems problems={problems} />
  );
};

/** Returns the problems of a draft by the rules of the gateway; `undefined` before they are known, and without a name. */
const useProblems = (draft: ServerDraft): readonly string[] | undefined => {
  const [text] = useDebouncedValue(JSON.stringify(definitionOf(draft)), DEBOUNCE_MS);
  const definition = JSON.parse(text) as Record<string, unknown>;
  // Without a name the gateway names its argument, and no other problem.
  const checks = useDefinitionChecks(definition['name'] === '' ? [] : [definition]);
  return isNameless(draft) ? undefined : checks?.[0];
};

/** Checks a draft by the rules of the gateway while it changes, and creates the server. */
export const CreateServer = ({ draft }: { readonly draft: ServerDraft }): ReactNode => {
  const problems = useProblems(draft);
  const { command, start, question } = useCreate(draft);
  return (
    <>
      <Verdict draft={draft} problems={problems} />
      {command.error !== null && (
        <Alert color="red" role="alert">
          <bdi>{command.error.message}</bdi>
        </Alert>
      )}
      <Group>
        <Button loading={command.isPending} disabled={problems?.length !== 0} onClick={start}>
          Create
        </Button>
      </Group>
      {question}
    </>
  );
};
