import { isJsonObject, type JsonObject, toText } from '@gateway/call-contract';
import { isWebAddress } from '@gateway/portal-ui';
import { Alert, Anchor, Button, Card, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatAddress } from '../../display/text-blocks.tsx';
import { SchemaForm } from '../../form/schema-form.tsx';
import type { CallAnswers, Question } from './tool-call.ts';

const NO_FIELDS: JsonObject = { type: 'object', properties: {} };

const readMessage = ({ params }: Question): string => {
  const { message } = params;
  return toText(message);
};

/** Returns the address of a question that is answered on another page; only pages of the web can be opened. */
const readAddress = ({ params }: Question): string | undefined => {
  const { url } = params;
  return typeof url === 'string' && isWebAddress(url) ? formatAddress(url) : undefined;
};

/** The tool that is called, and its server; a workflow has none and calls several. */
interface QuestionSource {
  readonly tool: string;
  readonly server: string | undefined;
}

interface AnswerProps {
  readonly question: Question;
  readonly onAnswer: (answer: JsonObject) => void;
}

/** A question that is answered on a page of another site; the portal does not learn the answer. */
const AddressAnswer = ({ question, onAnswer }: AnswerProps): ReactNode => {
  const address = readAddress(question);
  if (address === undefined)
    return (
      <Alert color="red" role="alert">
        The server asks to open something that is no page of the web.
      </Alert>
    );
  return (
    <>
      <Text size="sm">
        The server asks to open a page of <bdi>{new URL(address).host}</bdi>:
      </Text>
      <Anchor href={address} target="_blank" rel="noreferrer noopener">
        <bdi>{address}</bdi>
      </Anchor>
      <Button onClick={() => onAnswer({ action: 'accept' })}>Continue</Button>
    </>
  );
};

const FormAnswer = ({ question, onAnswer }: AnswerProps): ReactNode => {
  const [value, setValue] = useState<JsonObject>({});
  const { requestedSchema } = question.params;
  return (
    <SchemaForm
      schema={isJsonObject(requestedSchema) ? requestedSchema : NO_FIELDS}
      value={value}
      submitLabel="Accept"
      onChange={setValue}
      onSubmit={(content) => onAnswer({ action: 'accept', content })}
    />
  );
};

const Answer = (props: AnswerProps): ReactNode => {
  const { question, onAnswer } = props;
  const isElsewhere = question.params['mode'] === 'url';
  return (
    <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
      <Text component="bdi">{readMessage(question)}</Text>
      {isElsewhere ? <AddressAnswer {...props} /> : <FormAnswer {...props} />}
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => onAnswer({ action: 'decline' })}>
          Decline
        </Button>
        <Button variant="default" size="xs" onClick={() => onAnswer({ action: 'cancel' })}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
};

/** Who asks: a message of the server alone could pretend to be of another server. */
const Asker = ({ tool, server }: QuestionSource): ReactNode => (
  <Text size="sm" c="dimmed">
    {server === undefined ? (
      <>
        A server that <bdi>{tool}</bdi> calls asks:
      </>
    ) : (
      <>
        The server <bdi>{server}</bdi> asks during the call of <bdi>{tool}</bdi>:
      </>
    )}
  </Text>
);

/** Moves the focus to a question when it appears, so that no reader misses it. */
const focus = (element: HTMLElement | null): void => element?.focus();

/** The questions that a server asks during a call, one after the other. */
export const Questions = ({
  questions,
  requestState,
  onAnswer,
  ...source
}: QuestionSource & {
  readonly questions: readonly Question[];
  readonly requestState?: string | undefined;
  readonly onAnswer: (answers: CallAnswers) => void;
}): ReactNode => {
  const [responses, setResponses] = useState<Readonly<Record<string, JsonObject>>>({});
  const next = questions.find(({ id }) => !Object.hasOwn(responses, id));
  if (next === undefined) return null;
  const answer = (response: JsonObject): void => {
    const all = { ...responses, [next.id]: response };
    setResponses(all);
    const isComplete = questions.every(({ id }) => Object.hasOwn(all, id));
    if (isComplete)
      onAnswer({ responses: all, ...(requestState !== undefined && { requestState }) });
  };
  return (
    <Card
      withBorder
      key={next.id}
      role="group"
      aria-label={['Question of the server', source.server ?? ''].join(' ').trim()}
      tabIndex={-1}
      ref={focus}
    >
      <Asker {...source} />
      <Answer question={next} onAnswer={answer} />
    </Card>
  );
};
