import '@mantine/dates/styles.css';
import type { JsonObject } from '@gateway/call-contract';
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failure, LoadingSign } from '../../display/loading.tsx';
import { SchemaForm } from '../../form/schema-form.tsx';
import { useCallConfirmation } from '../tool/call-confirmation.tsx';
import type { RunningToolCall } from '../tool/tool-call.ts';
import { useWorkflowTool, type WorkflowFacts } from './workflow-facts.ts';

export interface RunWorkflowProps {
  readonly workflow: WorkflowFacts;
  readonly running: RunningToolCall;
}

/** A form for the arguments of a run, which asks before a destructive one. The run itself is shown above all parts of the page. */
export const RunWorkflow = ({ workflow, running }: RunWorkflowProps): ReactNode => {
  const tool = useWorkflowTool(workflow.name);
  const [args, setArgs] = useState<JsonObject>(running.lastArguments);
  const { start, confirmation } = useCallConfirmation(tool.data, running.start);
  if (tool.isError) return <Failure error={tool.error} />;
  if (tool.data === undefined) return <LoadingSign label="Loading the arguments" />;
  const isRunning = running.call.state === 'running' || running.call.state === 'asking';
  const submit = (given: JsonObject): void => {
    setArgs(given);
    start(given);
  };
  return (
    <Stack maw={720}>
      {Object.keys(readArguments(tool.data.inputSchema)).length === 0 && (
        <Text size="sm">The workflow has no arguments.</Text>
      )}
      <SchemaForm
        schema={tool.data.inputSchema}
        value={args}
        submitLabel="Run"
        isDisabled={isRunning || !workflow.isAvailable}
        onChange={setArgs}
        onSubmit={submit}
      />
      {confirmation}
    </Stack>
  );
};

const readArguments = ({ properties }: JsonObject): object =>
  typeof properties === 'object' && properties !== null ? properties : {};
