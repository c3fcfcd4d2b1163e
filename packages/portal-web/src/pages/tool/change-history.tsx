import { Alert, Button, Stack, Text, Timeline, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Confirmation } from '../../display/confirmation.tsx';
import { Loaded } from '../../display/loading.tsx';
import { LocalTime } from '../../display/page-parts.tsx';
import { JsonBlock, TextBlock } from '../../display/text-blocks.tsx';
import {
  type ChangeEvent,
  type PendingChange,
  type ToolDeclaration,
  useAcceptance,
  useToolChanges,
} from './tool-changes.ts';
import type { ToolDetail } from './tool-detail.ts';

const AcceptQuestion = ({
  declared,
  onClose,
}: {
  readonly declared: ToolDeclaration;
  readonly onClose: () => void;
}): ReactNode => {
  const acceptance = useAcceptance(declared, onClose);
  return (
    <Confirmation
      title="Accept this declaration?"
      confirm="Accept"
      color="indigo"
      mutation={acceptance}
      onConfirm={() => acceptance.mutate()}
      onCancel={onClose}
    >
      <Text>
        The present declaration of <bdi>{declared.ownName}</bdi> at <bdi>{declared.server}</bdi>{' '}
        becomes the accepted one. Read its description, arguments and annotations first.
      </Text>
      {declared.pending?.isHeld === true && (
        <Text>The gateway then treats the tool as read-only, also in toolsets.</Text>
      )}
    </Confirmation>
  );
};

/** Accepts the present declaration of a tool after a question. */
const AcceptChange = ({ declared }: { readonly declared: ToolDeclaration }): ReactNode => {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" onClick={open}>
        Accept…
      </Button>
      {opened && <AcceptQuestion declared={declared} onClose={close} />}
    </>
  );
};

interface FieldProps {
  readonly tool: ToolDetail;
  readonly pending: PendingChange;
}

interface Field {
  readonly label: string;
  /** The present value, as agents see it. */
  readonly now: (tool: ToolDetail) => string | object | undefined;
}

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['title', { label: 'Title', now: ({ title }) => title }],
  ['description', { label: 'Description', now: ({ description }) => description }],
  ['inputSchema', { label: 'Arguments', now: ({ inputSchema }) => inputSchema }],
  ['outputSchema', { label: 'Schema of its results', now: ({ outputSchema }) => outputSchema }],
  ['annotations', { label: 'Annotations', now: ({ annotations }) => annotations }],
]);

/** The one value of which the gateway knows the accepted state. */
const Hint = ({ pending: { isHeld } }: Pick<FieldProps, 'pending'>): ReactNode => (
  <Text size="sm">
    {'Only reads: accepted “no”, now “yes”'}
    {isHeld && '. The accepted value counts'}
  </Text>
);

const Now = ({ label, value }: { readonly label: string; readonly value: unknown }): ReactNode => {
  const title = `${label} now`;
  if (typeof value === 'string') return <TextBlock title={title} text={value} />;
  if (value !== undefined) return <JsonBlock title={title} value={value} />;
  return <Text size="sm">{`${title}: none`}</Text>;
};

/** The fields of a tool that differ from the accepted declaration, with their present values. The gateway keeps no accepted texts. @spec §2.6 */
const FieldChanges = ({ tool, pending }: FieldProps): ReactNode => (
  <Stack gap="xs" w="100%">
    {pending.fields.map((name) => {
      const field = FIELDS.get(name);
      return (
        <Stack key={name} gap={4}>
          <Now label={field?.label ?? name} value={field?.now(tool)} />
          {name === 'annotations' && pending.isWidened && <Hint pending={pending} />}
        </Stack>
      );
    })}
    <Text size="xs">
      The gateway keeps no accepted texts: it knows that these fields differ, and not what they
      contained.
    </Text>
  </Stack>
);

const Pending = ({
  tool,
  declared,
  pending,
}: {
  readonly tool: ToolDetail;
  readonly declared: ToolDeclaration;
  readonly pending: PendingChange;
}): ReactNode => (
  <Alert color="yellow" title="The server declares this tool differently than it was accepted">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        Last changed <LocalTime at={pending.at} />. Changed since the acceptance:
      </Text>
      <FieldChanges tool={tool} pending={pending} />
      {pending.isWidened && (
        <Text size="sm" fw={600}>
          It newly declares that it only reads.
          {pending.isHeld && ' This does not count until it is accepted.'}
        </Text>
      )}
      <AcceptChange declared={declared} />
    </Stack>
  </Alert>
);

const TITLES: { readonly [Kind in ChangeEvent['kind']]: string } = {
  changed: 'Changed',
  widened: 'Newly declares that it only reads',
  accepted: 'Accepted',
};

const History = ({ history }: Pick<ToolDeclaration, 'history'>): ReactNode =>
  history.length === 0 ? (
    <Text size="sm">No change is among the events that the gateway has kept.</Text>
  ) : (
    <Timeline bulletSize={16} lineWidth={2}>
      {history.map(({ kind, at, message, count }, index) => (
        <Timeline.Item key={index} title={TITLES[kind]}>
          <Text size="sm" c="dimmed">
            <LocalTime at={at} />
            {count > 1 && `, ${count} times`}
          </Text>
          <Text component="bdi" size="sm" display="block" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );

const Declaration = ({
  tool,
  declared,
}: {
  readonly tool: ToolDetail;
  readonly declared: ToolDeclaration;
}): ReactNode => (
  <Stack component="section" gap="sm" aria-label={`Changes at ${declared.server}`}>
    <Title order={2} size="h5">
      <bdi>{declared.server}</bdi>
    </Title>
    {declared.pending === undefined ? (
      <Text size="sm">The server declares this tool as it was accepted.</Text>
    ) : (
      <Pending tool={tool} declared={declared} pending={declared.pending} />
    )}
    <History history={declared.history} />
  </Stack>
);

/** The changes of a tool at each server that declares it, with the way to accept them. */
export const ChangeHistory = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  return (
    <Loaded query={useToolChanges(tool)} h={200}>
      {(declarations) => (
        <Stack gap="lg" maw={720}>
          {declarations.map((declared) => (
            <Declaration key={declared.server} tool={tool} declared={declared} />
          ))}
          {declarations.length === 0 && (
            <Text size="sm">The changes of this tool cannot be attributed to a server.</Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
};
