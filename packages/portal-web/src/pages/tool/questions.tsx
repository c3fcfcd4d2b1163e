import { Anchor, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { SchemaForm } from '../../form/schema-form.tsx';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';
import type { Answers, Question } from './tool-call.ts';

const NO_FIELDS: JsonObject = { type: 'object', properties: {} };

const messageOf = ({ params }: Question): string => {
  const { message } = params;
  return typeof message === 'string' ? message : 'The server asks a question.';
};

/** Returns the address of a question that is answered elsewhere; only web addresses are links. */
const urlOf = ({ params }: Question): string | undefined => {
  const { url } = params;
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : undefined;
};

const AnswerForm = ({
  question,
  onAnswer,
}: {
  readonly question: Question;
  readonly onAnswer: (answer: JsonObject) => void;
}): ReactNode => {
  const [value, setValue] = useState<JsonObject>({});
  const { requestedSchema } = question.params;
  const url = urlOf(question);
  return (
    <Stack gap="xs">
      <Text component="bdi">{messageOf(question)}</Text>
      {url !== undefined && (
        <Anchor href={url} target="_blank" rel="noreferrer noopener">
          <bdi>{url}</bdi>
        </Anchor>
      )}
      <SchemaForm
        schema={isJsonObject(requestedSchema) ? requestedSchema : NO_FIELDS}
        value={value}
        submitLabel="Accept"
        onChange={setValue}
        onSubmit={(content) =>
          onAnswer({ action: 'accept', ...(url === undefined && { content }) })
        }
      />
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

/** The questions that a server asks during a call, one after the other. */
export const Questions = ({
  questions,
  requestState,
  onAnswer,
}: {
  readonly questions: readonly Question[];
  readonly requestState?: string | undefined;
  readonly onAnswer: (answers: Answers) => void;
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
    <Card withBorder role="group" aria-label="Question of the server">
      <AnswerForm key={next.id} question={next} onAnswer={answer} />
    </Card>
  );
};
