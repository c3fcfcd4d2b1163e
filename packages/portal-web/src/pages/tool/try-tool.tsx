import '@mantine/dates/styles.css';
import {
  Alert,
  Button,
  Group,
  Loader,
  Modal,
  Progress as ProgressBar,
  SegmentedControl,
  Stack,
  Text,
} from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { SchemaForm } from '../../form/schema-form.tsx';
import type { JsonObject, Progress } from '../../mcp/mcp-outcome.ts';
import { CallResult } from './call-result.tsx';
import { JsonForm, type JsonFormProps } from './json-form.tsx';
import { Questions } from './questions.tsx';
import { ResultJson } from './result-text.tsx';
import type { ToolDetail } from './tool-detail.ts';
import { useToolCall, type RunningToolCall } from './use-tool-call.ts';

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

const CallState = ({ call, answer, cancel }: RunningToolCall): ReactNode => {
  switch (call.state) {
    case 'idle':
      return null;
    case 'running':
      return <Running progress={call.progress} cancel={cancel} />;
    case 'asking':
      return (
        <Questions questions={call.questions} requestState={call.requestState} onAnswer={answer} />
      );
    case 'done':
      return <CallResult result={call.result} isError={call.isError} />;
    case 'failed':
      return (
        <Alert color="red" role="alert">
          {call.message}
        </Alert>
      );
  }
};

const Confirmation = ({
  tool,
  args,
  onConfirm,
  onClose,
}: {
  readonly tool: ToolDetail;
  readonly args: JsonObject;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}): ReactNode => (
  <Modal opened onClose={onClose} title="Call a destructive tool?">
    <Stack>
      <Text>
        <bdi>{tool.name}</bdi> may delete or overwrite something. It is called with:
      </Text>
      <ResultJson value={args} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Do not call
        </Button>
        <Button color="red" onClick={onConfirm}>
          Call
        </Button>
      </Group>
    </Stack>
  </Modal>
);

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

/** Calls a tool with a form of its schema, or with JSON. Destructive tools ask first. */
export const TryTool = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const running = useToolCall(tool.name);
  const [args, setArgs] = useState<JsonObject>({});
  const [waiting, setWaiting] = useState<JsonObject>();
  const submit = (given: JsonObject): void => {
    setArgs(given);
    if (tool.isDestructive) setWaiting(given);
    else running.start(given);
  };
  const confirm = (): void => {
    if (waiting !== undefined) running.start(waiting);
    setWaiting(undefined);
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
      {waiting !== undefined && (
        <Confirmation
          tool={tool}
          args={waiting}
          onConfirm={confirm}
          onClose={() => setWaiting(undefined)}
        />
      )}
      <CallState {...running} />
    </Stack>
  );
};
