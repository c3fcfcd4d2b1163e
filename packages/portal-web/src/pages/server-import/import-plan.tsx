import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useDefinitionChecks } from '../../queries/use-definition-checks.ts';
import type { ImportedServer } from '@gateway/client-config';
import { ConfirmCommand } from '../servers/confirm-command.tsx';
import { programQuestion } from '../servers/program-question.ts';
import { useServers } from '../servers/use-servers.ts';
import { PlannedServerCard, type ServerChange } from './planned-server-card.tsx';
import {
  creatableServers,
  namedServers,
  NO_CHOICES,
  plannedServers,
  type ImportChoices,
  type PlannedServer,
} from './planned-servers.ts';
import { useCreation, type CreationStates } from './use-creation.ts';

const DEBOUNCE_MS = 300;

/** Checks the servers of an import at the gateway. A server that was created meanwhile is no obstacle to itself. */
const usePlan = (
  servers: readonly ImportedServer[],
  choices: ImportChoices,
  states: CreationStates,
): { readonly planned: readonly PlannedServer[]; readonly isChecked: boolean } => {
  const { data } = useServers();
  const [settled] = useDebouncedValue(choices, DEBOUNCE_MS);
  const checks = useDefinitionChecks(
    namedServers(servers, settled).map(({ name, definition }) => ({ ...definition, name })),
  );
  const named = namedServers(servers, choices);
  const created = new Set(
    named.filter(({ source }) => states.get(source)?.kind === 'created').map(({ name }) => name),
  );
  const names = [...(data?.servers ?? []), ...(data?.refused ?? [])].map(({ name }) => name);
  const existing = new Set(names.filter((name) => !created.has(name)));
  return {
    planned: plannedServers(servers, choices, { existing, checks }),
    isChecked: checks !== undefined && data !== undefined,
  };
};

const changed = (
  { names, leftOut }: ImportChoices,
  source: string,
  change: ServerChange,
): ImportChoices => {
  if ('name' in change) return { leftOut, names: new Map([...names, [source, change.name]]) };
  const others = [...leftOut].filter((other) => other !== source);
  return { names, leftOut: new Set(change.isChosen ? others : [...others, source]) };
};

const Summary = ({ states }: { readonly states: CreationStates }): ReactNode => {
  const count = (kind: string): number =>
    [...states.values()].filter((state) => state.kind === kind).length;
  return states.size === 0 ? null : (
    <Text size="sm" role="status">{`${count('created')} created, ${count('failed')} failed`}</Text>
  );
};

/** The button that creates servers, after a question where the gateway will run programs. */
const Create = ({
  servers,
  isRunning,
  isChecked,
  onCreate,
}: {
  readonly servers: readonly PlannedServer[];
  readonly isRunning: boolean;
  readonly isChecked: boolean;
  readonly onCreate: () => void;
}): ReactNode => {
  const [isAsking, setAsking] = useState(false);
  const question = programQuestion(servers.map(({ definition }) => definition));
  const create = (): void => {
    setAsking(false);
    onCreate();
  };
  return (
    <>
      <Button
        loading={isRunning}
        disabled={!isChecked || servers.length === 0}
        onClick={() => (question === undefined ? create() : setAsking(true))}
      >
        {servers.length === 1 ? 'Create 1 server' : `Create ${servers.length} servers`}
      </Button>
      {isAsking && question !== undefined && (
        <ConfirmCommand question={question} onConfirm={create} onCancel={() => setAsking(false)} />
      )}
    </>
  );
};

/** The servers that an import will create, with the problems of each server, and the command that creates it. */
export const ImportPlan = ({
  servers,
}: {
  readonly servers: readonly ImportedServer[];
}): ReactNode => {
  const [choices, setChoices] = useState(NO_CHOICES);
  const { states, isRunning, start } = useCreation();
  const { planned, isChecked } = usePlan(servers, choices, states);
  const creatable = creatableServers(planned).filter(
    ({ source }) => states.get(source)?.kind !== 'created',
  );
  return (
    <Stack>
      <Title order={2} size="h4">
        What will be created
      </Title>
      <Stack gap="sm" role="list" aria-label="Servers to create">
        {planned.map((server) => (
          <PlannedServerCard
            key={server.source}
            server={server}
            state={states.get(server.source)}
            onChange={(change) => setChoices(changed(choices, server.source, change))}
          />
        ))}
      </Stack>
      <Group>
        <Create
          servers={creatable}
          {...{ isRunning, isChecked }}
          onCreate={() => void start(creatable)}
        />
        <Summary states={states} />
      </Group>
    </Stack>
  );
};
