import {
  Alert,
  Button,
  Card,
  Group,
  Loader,
  Progress as ProgressBar,
  Stack,
  Text,
} from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import { useLostFocus } from '../../display/lost-focus.ts';
import type { JsonObject, Progress } from '../../mcp/mcp-outcome.ts';
import { runIdOf } from '../runs/run-facts.ts';
import type { RunningToolCall } from '../tool/use-tool-call.ts';

const PERCENT = 100;

/** Forms are large and loaded when they are needed. */
const Questions = lazy(async () => ({
  default: (await import('../tool/questions.tsx')).Questions,
}));

const Running = ({
  progress,
  onCancel,
}: {
  readonly progress: Progress | undefined;
  readonly onCancel: () => void;
}): ReactNode => (
  <Card withBorder role="status">
    <Stack gap="xs">
      <Group gap="xs">
        <Loader size="xs" />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{progress?.message ?? 'The workflow runs…'}</bdi>
        </Text>
        <Button variant="default" size="xs" onClick={onCancel}>
          Cancel the run
        </Button>
      </Group>
      {progress?.total !== undefined && (
        <ProgressBar value={(progress.progress / progress.total) * PERCENT} aria-label="Progress" />
      )}
    </Stack>
  </Card>
);

const Ended = ({
  result,
  isError,
}: {
  readonly result: JsonObject;
  readonly isError: boolean;
}): ReactNode => {
  const id = runIdOf(result);
  return (
    <Alert
      color={isError ? 'red' : 'teal'}
      role="status"
      title={isError ? 'The run failed' : 'The run is completed'}
    >
      {id !== undefined && (
        <PageLink to="/runs/$run" params={{ run: id }} size="sm" c="inherit" underline="always">
          Show its steps and its result
        </PageLink>
      )}
    </Alert>
  );
};

const RunState = ({ running }: { readonly running: RunningToolCall }): ReactNode => {
  const { tool, call, answer, cancel } = running;
  switch (call.state) {
    case 'idle':
      return null;
    case 'running':
      return <Running progress={call.progress} onCancel={cancel} />;
    case 'asking':
      return (
        <Suspense fallback={<LoadingSign label="Loading the question" />}>
          <Questions
            source={{ tool }}
            questions={call.questions}
            requestState={call.requestState}
            onAnswer={answer}
          />
        </Suspense>
      );
    case 'done':
      return <Ended result={call.result} isError={call.isError} />;
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

/** The run that the person started on this page. */
export const OwnRun = ({ running }: { readonly running: RunningToolCall }): ReactNode => {
  const run = useLostFocus<HTMLDivElement>(running.call.state);
  return (
    <div ref={run} role="group" aria-label="Your run" tabIndex={-1}>
      <RunState running={running} />
    </div>
  );
};
