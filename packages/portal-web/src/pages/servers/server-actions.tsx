import { Alert, Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useLostFocus } from '../../display/lost-focus.ts';
import { showNotice } from '../../display/notice.ts';
import { useCoreCommand, type CoreCommand } from '../../queries/use-core-command.ts';
import { ConfirmCommand, type Question } from './confirm-command.tsx';
import type { ServerFacts } from './server-facts.ts';

/** Something that a reader who may change servers can do with one. */
interface Action {
  readonly label: string;
  readonly tool: CoreCommand['tool'];
  /** Absent where nothing is lost. */
  readonly question?: Question;
}

const START: Action = { label: 'Start', tool: 'core_service_start' };
const STOP: Action = {
  label: 'Stop',
  tool: 'core_service_stop',
  question: {
    title: 'Stop this server?',
    consequence: 'Its tools leave the catalog of everyone, and running calls fail.',
    confirm: 'Stop',
  },
};
const RESTART: Action = {
  label: 'Restart',
  tool: 'core_service_restart',
  question: {
    title: 'Restart this server?',
    consequence: 'Running calls of everyone fail.',
    confirm: 'Restart',
  },
};
const DELETE: Action = {
  label: 'Delete',
  tool: 'core_mcpserver_delete',
  question: {
    title: 'Delete this server?',
    consequence:
      'Its definition is deleted and its tools leave the catalog. This cannot be undone.',
    confirm: 'Delete',
  },
};

/** The look of a button that deletes. */
const DESTRUCTIVE = { variant: 'light', color: 'red' } as const;

const AT_REST: ReadonlySet<string> = new Set(['Stopped', 'Disconnected']);

const actionsOf = ({ state }: ServerFacts): readonly Action[] =>
  AT_REST.has(state) ? [START, DELETE] : [RESTART, STOP, DELETE];

/** Runs the actions of a server; a deleted one has no page any more. */
const useActions = (name: string) => {
  const command = useCoreCommand();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Action>();
  const leave = async (sentence: string): Promise<void> => {
    await navigate({ to: '/servers', search: {} });
    showNotice(sentence);
  };
  const run = ({ tool }: Action): void => {
    setAsked(undefined);
    command.mutate(
      { tool, args: { name } },
      { onSuccess: (sentence) => tool === DELETE.tool && void leave(sentence) },
    );
  };
  return {
    command,
    asked,
    start: (action: Action) => (action.question === undefined ? run(action) : setAsked(action)),
    confirm: () => asked !== undefined && run(asked),
    cancel: () => setAsked(undefined),
  };
};

/** Starts, stops, restarts and deletes a server, after a question where something is lost. */
export const ServerActions = ({ server }: { readonly server: ServerFacts }): ReactNode => {
  const { command, asked, start, confirm, cancel } = useActions(server.name);
  const actions = actionsOf(server);
  const shown = actions.map(({ label }) => label).join();
  const group = useLostFocus<HTMLDivElement>(`${command.status} ${String(asked?.label)} ${shown}`);
  return (
    <Stack gap="xs" ref={group} role="group" aria-label="Actions" tabIndex={-1}>
      <Group gap="xs">
        {actions.map((action) => (
          <Button
            key={action.label}
            {...(action === DELETE ? DESTRUCTIVE : { variant: 'default' })}
            size="xs"
            disabled={command.isPending}
            onClick={() => start(action)}
          >
            {action.label}
          </Button>
        ))}
      </Group>
      {command.data !== undefined && (
        <Alert color="teal" role="status">
          <bdi>{command.data}</bdi>
        </Alert>
      )}
      {command.error !== null && (
        <Alert color="red" role="alert">
          <bdi>{command.error.message}</bdi>
        </Alert>
      )}
      {asked?.question !== undefined && (
        <ConfirmCommand question={asked.question} onConfirm={confirm} onCancel={cancel} />
      )}
    </Stack>
  );
};
