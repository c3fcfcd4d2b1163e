import '@mantine/dates/styles.css';
import type { JsonObject } from '@gateway/call-contract';
import {
  Alert,
  Button,
  Group,
  Loader,
  Progress as ProgressBar,
  SegmentedControl,
  Stack,
  Text,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useFocusRecovery } from '../../display/focus.ts';
import { JsonForm, type JsonFormProps, SchemaForm } from '../../form/schema-form.tsx';
import type { Progress } from '../../mcp/mcp-client.ts';
import { CallResult } from './call-result.tsx';
import { useCallConfirmation } from './confirmed-call.tsx';
import { Questions, type QuestionSource } from './questions.tsx';
import { type RunningToolCall, useToolCall } from './tool-call.ts';
import type { ToolDetail } from './tool-detail.ts';

const PERCENT = 100;

const Running = ({
  progress,
  cancel,
}: {
  readonly progress: Progress | undefined;
  readonly cancel: () => void;
}): ReactNode => (
  <Stack gap="xs" role="status">
    <Group gap="xs">
      <Loader size="xs" />
      <Text size="sm">
        <bdi>{progress?.message ?? 'The tool runs…'}</bdi>
      </Text>
      <Button variant="default" size="xs" onClick={cancel}>
        Cancel
      </Button>
    </Group>
    {progress?.total !== undefined && (
      <ProgressBar value={(progress.progress / progress.total) * PERCENT} aria-label="Progress" />
    )}
  </Stack>
);

const CallState = ({
  source,
  call,
  answer,
  cancel,
}: RunningToolCall & { readonly source: QuestionSource }): ReactNode => {
  switch (call.state) {
    case 'idle':
      return null;
    case 'running':
      return <Running progress={call.progress} cancel={cancel} />;
    case 'asking':
      return (
        <Questions
          {...{ source, questions: call.questions }}
          requestState={call.requestState}
          onAnswer={answer}
        />
      );
    case 'done':
      return <CallResult result={call.result} isError={call.isError} />;
    case 'cancelled':
      return (
        <Alert color="gray" role="status">
          {call.message}
        </Alert>
      );
    case 'failed':
      return (
        <Alert color="red" role="alert">
          {call.message}
        </Alert>
      );
  }
};

const INPUTS = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
];

/** The arguments as fields or as JSON; both edit the same values. */
const Arguments = ({ tool, ...form }: JsonFormProps & { readonly tool: ToolDetail }): ReactNode => {
  const [input, setInput] = useState('form');
  return (
    <>
      <SegmentedControl aria-label="Input" value={input} onChange={setInput} data={INPUTS} />
      {input === 'form' ? (
        <SchemaForm schema={tool.inputSchema} {...form} />
      ) : (
        <JsonForm {...form} />
      )}
    </>
  );
};

const toSource = ({ name, server }: ToolDetail): QuestionSource => ({
  tool: name,
  ...(server !== undefined && { server }),
});

/** Calls a tool with a form of its schema, or with JSON. Tools that may be destructive ask first. */
export const TryTool = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const running = useToolCall(tool.name);
  const outcome = useFocusRecovery<HTMLDivElement>(running.call.state);
  const [args, setArgs] = useState<JsonObject>(running.lastArguments);
  const { start, confirmation } = useCallConfirmation(tool, running.start);
  const submit = (given: JsonObject): void => {
    setArgs(given);
    start(given);
  };
  return (
    <Stack maw={720}>
      <Arguments
        tool={tool}
        value={args}
        isDisabled={running.call.state === 'running'}
        submitLabel="Call"
        onChange={setArgs}
        onSubmit={submit}
      />
      {confirmation}
      <div ref={outcome} role="group" aria-label="Outcome of the call" tabIndex={-1}>
        <CallState {...running} source={toSource(tool)} />
      </div>
    </Stack>
  );
};
