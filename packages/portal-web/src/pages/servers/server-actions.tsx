import { SignInOffers } from '@gateway/portal-ui';
import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Confirmation, type Question } from '../../display/confirmation.tsx';
import { useFocusRecovery } from '../../display/focus.ts';
import { isSignedOut, type ServerSummary } from './server-facts.ts';
import { type CoreCommand, useCoreCommand } from '../../queries/core-tools.ts';
import { useStartSignIn } from '../../queries/sign-in.ts';

const SignOut = ({ name }: { readonly name: string }): ReactNode => {
  const command = useCoreCommand();
  return (
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

const AT_REST: ReadonlySet<string> = new Set(['Stopped', 'Disconnected']);

/** Returns what a reader who may change servers can do with one in its state. */
const listServerActions = ({ state }: Pick<ServerSummary, 'state'>): readonly Action[] =>
  AT_REST.has(state) ? [START, DELETE] : [RESTART, STOP, DELETE];

/** Runs actions of servers: asks first where something is lost, and says how each ended. */
export const useServerActions = () => {
  const command = useCoreCommand();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ readonly action: Action; readonly name: string }>();
  const run = (name: string, { tool }: Action): void => {
    setAsked(undefined);
    command.mutate(
      { tool, args: { name } },
      // A deleted server has no page any more.
      { onSuccess: () => tool === DELETE.tool && void navigate({ to: '/servers' }) },
    );
  };
  return {
    isPending: command.isPending,
    list: (server: ServerSummary) =>
      listServerActions(server).map((action) => ({
        label: action.label,
        ...(action === DELETE && { color: 'red' as const }),
        onClick: () =>
          action.question === undefined
            ? run(server.name, action)
            : setAsked({ action, name: server.name }),
      })),
    question: asked?.action.question !== undefined && (
      <Confirmation
        {...asked.action.question}
        onConfirm={() => run(asked.name, asked.action)}
        onCancel={() => setAsked(undefined)}
      />
    ),
  };
};

/** Starts, stops, restarts and deletes a server. */
export const ServerActions = ({ server }: { readonly server: ServerSummary }): ReactNode => {
  const { isPending, list, question } = useServerActions();
  const actions = list(server);
  const group = useFocusRecovery<HTMLDivElement>(
    `${String(isPending)} ${String(question)} ${actions.map(({ label }) => label).join()}`,
  );
  return (
    <Group gap="xs" ref={group} role="group" aria-label="Actions" tabIndex={-1}>
      {actions.map(({ label, color, onClick }) => (
        <Button
          key={label}
          {...(color === undefined ? { variant: 'default' } : { variant: 'light', color })}
          size="xs"
          disabled={isPending}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
      {question}
    </Group>
  );
};
