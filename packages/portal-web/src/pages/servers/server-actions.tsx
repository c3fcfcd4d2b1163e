import { SignInOffers } from '@gateway/portal-ui';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Confirmation, type Question } from '../../display/confirmation.tsx';
import { useFocusRecovery } from '../../display/focus.ts';
import { Failure } from '../../display/loading.tsx';
import { showNotice } from '../../display/notice.tsx';
import { isSignedOut, type ServerSummary } from './server-facts.ts';
import { type CoreCommand, useCoreCommand } from '../../queries/core-tools.ts';
import { useStartSignIn } from '../../queries/sign-in.ts';

const SignOut = ({ name }: { readonly name: string }): ReactNode => {
  const command = useCoreCommand();
  return (
    <>
      <Group gap="xs">
        <Text size="sm">You are signed in to this server.</Text>
        <Button
          size="xs"
          variant="default"
          loading={command.isPending}
          onClick={() => command.mutate({ tool: 'core_auth_logout', args: { server: name } })}
        >
          Sign out
        </Button>
      </Group>
      <Failure error={command.error} />
    </>
  );
};

/** The reader's own sign-in to a server that users sign in to; nothing for any other. @spec §5 */
export const ServerSignIn = ({ server }: { readonly server: ServerSummary }): ReactNode => {
  const startSignIn = useStartSignIn();
  if (server.signIn?.status === 'connected') return <SignOut name={server.name} />;
  return isSignedOut(server) ? (
    <SignInOffers servers={[server.name]} onSignIn={startSignIn} />
  ) : null;
};

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

const listActions = ({ state }: ServerSummary): readonly Action[] =>
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
export const ServerActions = ({ server }: { readonly server: ServerSummary }): ReactNode => {
  const { command, asked, start, confirm, cancel } = useActions(server.name);
  const actions = listActions(server);
  const shown = actions.map(({ label }) => label).join();
  const group = useFocusRecovery<HTMLDivElement>(
    `${command.status} ${String(asked?.label)} ${shown}`,
  );
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
      <Failure error={command.error} />
      {asked?.question !== undefined && (
        <Confirmation {...asked.question} onConfirm={confirm} onCancel={cancel} />
      )}
    </Stack>
  );
};
