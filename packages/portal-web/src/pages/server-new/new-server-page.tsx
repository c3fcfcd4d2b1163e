import {
  Alert,
  Button,
  Fieldset,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Confirmation } from '../../display/confirmation.tsx';
import { PageLink, PageTitle, TextList } from '../../display/page-parts.tsx';
import { EMPTY_DRAFT, type ServerDraft, toDefinition } from './server-draft.ts';
import { toInputProps, type DraftProps, TransportFields } from './transport-fields.tsx';
import { useServers } from '../servers/server-facts.ts';
import { createProgramQuestion, listValueLines, WriteRefusal } from '../servers/server-parts.tsx';
import { useCoreCommand, useDefinitionChecks } from '../../queries/core-tools.ts';

/** The fields that every server has. */
const GeneralFields = ({ draft, onChange }: DraftProps): ReactNode => (
  <>
    <TextInput
      label="Name"
      description="The names of its tools contain it"
      required
      {...toInputProps('name', draft, onChange)}
    />
    <TextInput label="Description" {...toInputProps('description', draft, onChange)} />
    <Fieldset legend="Family">
      <Group align="flex-end" gap="xs">
        <TextInput label="Family" {...toInputProps('family', draft, onChange)} />
        <TextInput
          label="Argument that chooses the server"
          {...toInputProps('instanceArg', draft, onChange)}
        />
      </Group>
    </Fieldset>
    <Switch
      label="Start it now and with the gateway"
      checked={draft.autoStart}
      onChange={({ currentTarget }) => onChange({ ...draft, autoStart: currentTarget.checked })}
    />
  </>
);

const DEBOUNCE_MS = 300;

const isUntouched = ({ name, url, command }: ServerDraft): boolean =>
  name === '' && url === '' && command === '';

const isNameless = ({ name }: ServerDraft): boolean => name.trim() === '';

const Problems = ({ problems }: { readonly problems: readonly string[] }): ReactNode => (
  <Alert color="orange" title="The gateway does not accept this server yet" role="status">
    <TextList texts={problems} />
  </Alert>
);

/** Creates the server of a draft, after a question where the gateway will run a program. */
const useCreate = (draft: ServerDraft) => {
  const command = useCoreCommand();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const args = toDefinition(draft);
  const question = createProgramQuestion([args]);
  const create = (): void => {
    setAsking(false);
    const name = draft.name.trim();
    command.mutate(
      { tool: 'core_mcpserver_create', args },
      { onSuccess: () => void navigate({ to: '/servers/$name', params: { name } }) },
    );
  };
  return {
    command,
    start: () => (question === undefined ? create() : setAsking(true)),
    question: isAsking && question !== undefined && (
      <Confirmation {...question} onConfirm={create} onCancel={() => setAsking(false)} />
    ),
  };
};

/** The verdict of the gateway about a draft; nothing before it has answered, and before the user has entered anything. */
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
    <>
      <Text size="sm">The gateway accepts this server.</Text>
      <TextList texts={listValueLines(toDefinition(draft))} />
    </>
  ) : (
    <Problems problems={problems} />
  );
};

/** Returns the problems of a draft by the rules of the gateway; `undefined` before they are known, and without a name. */
const useProblems = (draft: ServerDraft): readonly string[] | undefined => {
  const [text] = useDebouncedValue(JSON.stringify(toDefinition(draft)), DEBOUNCE_MS);
  const definition = JSON.parse(text) as Record<string, unknown>;
  // Without a name the gateway names its argument, and no other problem.
  const checks = useDefinitionChecks(definition['name'] === '' ? [] : [definition]);
  return isNameless(draft) ? undefined : checks?.[0];
};

/** Checks a draft by the rules of the gateway while it changes, and creates the server. */
const CreateServer = ({ draft }: { readonly draft: ServerDraft }): ReactNode => {
  const problems = useProblems(draft);
  const { command, start, question } = useCreate(draft);
  return (
    <>
      <Verdict draft={draft} problems={problems} />
      <Group>
        <Button loading={command.isPending} disabled={problems?.length !== 0} onClick={start}>
          Create
        </Button>
      </Group>
      {question}
    </>
  );
};

const route = getRouteApi('/servers/new');

const KINDS = [
  { value: 'remote', label: 'At an address' },
  { value: 'stdio', label: 'As a command' },
];

/** The form of a new server; the values of the other kind stay while the kind changes. */
const Form = (): ReactNode => {
  const kind = route.useSearch().by === 'command' ? 'stdio' : 'remote';
  const navigate = route.useNavigate();
  const [fields, setFields] = useState(EMPTY_DRAFT);
  const draft: ServerDraft = { ...fields, kind };
  return (
    <Stack>
      <SegmentedControl
        aria-label="How the gateway reaches it"
        data={KINDS}
        value={kind}
        onChange={(value) =>
          void navigate({ search: value === 'stdio' ? { by: 'command' } : {}, replace: true })
        }
      />
      <TransportFields draft={draft} onChange={setFields} />
      <GeneralFields draft={draft} onChange={setFields} />
      <CreateServer draft={draft} />
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
