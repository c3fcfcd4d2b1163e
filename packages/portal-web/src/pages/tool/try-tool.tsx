import '@mantine/dates/styles.css';
import type { JsonObject } from '@gateway/call-contract';
import { SegmentedControl, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { JsonForm, type JsonFormProps, SchemaForm } from '../../form/schema-form.tsx';
import { useCallConfirmation } from './call-confirmation.tsx';
import { CallResult } from './call-result.tsx';
import { CallState } from './call-state.tsx';
import { useToolCall } from './tool-call.ts';
import type { ToolDetail } from './tool-detail.ts';

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

/** Calls a tool with a form of its schema, or with JSON. Tools that may be destructive ask first. */
export const TryTool = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const running = useToolCall(tool.name);
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
      <CallState
        running={running}
        server={tool.server}
        label="Outcome of the call"
        runningText="The tool runs…"
        cancelText="Cancel"
      >
        {(result, isError) => <CallResult result={result} isError={isError} />}
      </CallState>
    </Stack>
  );
};
