import type { JsonObject } from '@gateway/call-contract';
import { SegmentedControl, Stack } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Confirmation } from '../../display/confirmation.tsx';
import { PageLink, PageTitle, TextList } from '../../display/page-parts.tsx';
import { DefinitionEditor } from '../definition/definition-editor.tsx';
import { DetectServer } from './detect-server.tsx';
import { SERVER_FIELDS } from '../servers/server-definition.tsx';
import { useServers } from '../servers/server-facts.ts';
import { createProgramQuestion, listValueLines, WriteRefusal } from '../servers/server-parts.tsx';
import { useCoreCommand } from '../../queries/core-tools.ts';

/** Creates the server of a definition, after a question where the gateway will run a program. */
const useCreate = (args: JsonObject) => {
  const command = useCoreCommand();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const question = createProgramQuestion([args]);
  const create = (): void => {
    setAsking(false);
    const name = String(args['name']);
    command.mutate(
      { tool: 'core_mcpserver_create', args },
      { onSuccess: () => void navigate({ to: '/servers/$name', params: { name } }) },
    );
  };
  return {
    isPending: command.isPending,
    start: () => (question === undefined ? create() : setAsking(true)),
    question: isAsking && question !== undefined && (
      <Confirmation {...question} onConfirm={create} onCancel={() => setAsking(false)} />
    ),
  };
};

const route = getRouteApi('/servers/new');

const KINDS = [
  { value: 'address', label: 'At an address' },
  { value: 'command', label: 'As a command' },
];

/** What a new server begins with. */
const BEGINNINGS = {
  address: { type: 'streamable-http', autoStart: true },
  command: { type: 'stdio', autoStart: true },
} as const;

/** The form of a new server; the values of the other kind stay while the kind changes. */
const Form = (): ReactNode => {
  const { by = 'address' } = route.useSearch();
  const navigate = route.useNavigate();
  const [values, setValues] = useState<Readonly<Record<string, JsonObject>>>(BEGINNINGS);
  const value = values[by] ?? BEGINNINGS[by];
  const change = (next: JsonObject): void => setValues({ ...values, [by]: next });
  const { isPending, start, question } = useCreate(value);
  return (
    <Stack key={by}>
      <SegmentedControl
        aria-label="How the gateway reaches it"
        data={KINDS}
        value={by}
        onChange={(next) =>
          void navigate({ search: next === 'command' ? { by: 'command' } : {}, replace: true })
        }
      />
      <DefinitionEditor
        tool="core_mcpserver_create"
        checkTool="core_mcpserver_validate"
        first={SERVER_FIELDS[by]}
        value={value}
        onChange={change}
        submitLabel="Create"
        isPending={isPending}
        onSubmit={start}
      >
        {by === 'address' && <DetectServer definition={value} onChange={change} />}
        <TextList texts={listValueLines(value)} />
      </DefinitionEditor>
      {question}
    </Stack>
  );
};

/** Adds a server by its address or its command. */
export const NewServerPage = (): ReactNode => {
  const { data } = useServers();
  return (
    <Stack maw={720}>
      <PageLink to="/servers" size="sm">
        All servers
      </PageLink>
      <PageTitle title="Add a server" />
      <WriteRefusal reason={data?.writeRefusal} />
      {data?.writeRefusal === undefined && <Form />}
    </Stack>
  );
};
