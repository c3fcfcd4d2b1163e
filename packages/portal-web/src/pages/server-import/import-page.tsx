import {
  type ImportedServer,
  formatImportRefusal,
  MAX_IMPORT_CHARS,
  parseImport,
} from '@gateway/client-config';
import {
  Alert,
  Button,
  Card,
  Checkbox,
  FileButton,
  Group,
  List,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Confirmation } from '../../display/confirmation.tsx';
import { formatCount, PageLink, PageTitle, StateBadge } from '../../display/page-parts.tsx';
import { TextCode } from '../../display/text-blocks.tsx';
import {
  type CreationState,
  type CreationStates,
  filterCreatable,
  type ImportChoices,
  nameServers,
  NO_CHOICES,
  type PlannedServer,
  planServers,
  useCreation,
} from './planned-servers.ts';
import { useServers } from '../servers/server-facts.ts';
import {
  createProgramQuestion,
  formatShortAddress,
  listValueLines,
  WriteRefusal,
} from '../servers/server-parts.tsx';
import { useDefinitionChecks } from '../../queries/core-tools.ts';

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
    return <StateBadge>{state.kind === 'waiting' ? 'Waiting' : 'Running'}</StateBadge>;
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

/** A change of a user to one server of an import. */
type ServerChange = { readonly name: string } | { readonly isChosen: boolean };

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
const PlannedServerCard = (props: CardProps): ReactNode => {
  const { server, state } = props;
  const address = formatShortAddress(server.definition);
  return (
    <Card withBorder padding="sm" role="listitem">
      <Stack gap="xs">
        <Choice {...props} />
        {address !== '' && <TextCode text={address} />}
        <Lines
          lines={listValueLines(server.definition)}
          color="dimmed"
          label={`Variables and headers of ${server.source}`}
        />
        <Lines lines={server.notes} color="dimmed" label={`Notes on ${server.source}`} />
        {state?.kind !== 'created' && (
          <Lines lines={server.problems} color="red" label={`Problems of ${server.source}`} />
        )}
        <Result name={server.name} state={state} />
      </Stack>
    </Card>
  );
};

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
    nameServers(servers, settled).map(({ name, definition }) => ({ ...definition, name })),
  );
  const named = nameServers(servers, choices);
  const created = new Set(
    named.filter(({ source }) => states.get(source)?.kind === 'created').map(({ name }) => name),
  );
  const names = [...(data?.servers ?? []), ...(data?.refused ?? [])].map(({ name }) => name);
  const existing = new Set(names.filter((name) => !created.has(name)));
  return {
    planned: planServers(servers, choices, { existing, checks }),
    isChecked: checks !== undefined && data !== undefined,
  };
};

const changeChoices = (
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
  const question = createProgramQuestion(servers.map(({ definition }) => definition));
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
        {`Create ${formatCount(servers.length, 'server')}`}
      </Button>
      {isAsking && question !== undefined && (
        <Confirmation {...question} onConfirm={create} onCancel={() => setAsking(false)} />
      )}
    </>
  );
};

/** The servers that an import will create, with the problems of each server, and the command that creates it. */
const ImportPlan = ({ servers }: { readonly servers: readonly ImportedServer[] }): ReactNode => {
  const [choices, setChoices] = useState(NO_CHOICES);
  const { states, isRunning, start } = useCreation();
  const { planned, isChecked } = usePlan(servers, choices, states);
  const creatable = filterCreatable(planned).filter(
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
            onChange={(change) => setChoices(changeChoices(choices, server.source, change))}
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

const EXAMPLE =
  '{\n  "mcpServers": {\n    "wiki": { "url": "https://wiki.example.com/mcp" }\n  }\n}';

/** A larger file is refused without being read. */
const readTextFile = async (file: File): Promise<string> =>
  file.size > 4 * MAX_IMPORT_CHARS ? ' '.repeat(MAX_IMPORT_CHARS + 1) : file.text();

const Source = ({
  text,
  onText,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
}): ReactNode => (
  <Stack gap="xs">
    <Textarea
      label="Settings of another program"
      description="JSON with an object “mcpServers” or “servers”, as in the settings of editors and assistants"
      placeholder={EXAMPLE}
      autosize
      minRows={6}
      maxRows={16}
      spellCheck={false}
      value={text.length > MAX_IMPORT_CHARS ? '' : text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
    />
    <Group>
      <FileButton
        accept="application/json,.json"
        onChange={(file) => file !== null && void readTextFile(file).then(onText)}
      >
        {(props) => (
          <Button variant="default" size="xs" {...props}>
            Choose a file
          </Button>
        )}
      </FileButton>
    </Group>
  </Stack>
);

const Plan = ({ text }: { readonly text: string }): ReactNode => {
  const parsed = parseImport(text);
  return parsed.ok ? (
    <ImportPlan key={text} servers={parsed.servers} />
  ) : (
    <Alert color="red" role="alert">
      {formatImportRefusal(parsed.refusal)}
    </Alert>
  );
};

/** Imports the servers of another program: shows what will be created, and creates it. */
export const ImportPage = (): ReactNode => {
  const [text, setText] = useState('');
  const { data } = useServers();
  return (
    <Stack maw={720}>
      <PageLink to="/servers" size="sm">
        All servers
      </PageLink>
      <PageTitle title="Import servers" />
      <WriteRefusal reason={data?.writeRefusal} />
      {data?.writeRefusal === undefined && (
        <>
          <Source text={text} onText={setText} />
          {text.trim() === '' && text.length <= MAX_IMPORT_CHARS ? (
            <Text size="sm">
              Nothing is created before you have seen what will be created. Imported servers do not
              start by themselves.
            </Text>
          ) : (
            <Plan text={text} />
          )}
        </>
      )}
    </Stack>
  );
};
