import type { JsonObject } from '@gateway/call-contract';
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
import { lazy, type ReactNode, Suspense } from 'react';
import { useFocusRecovery } from '../../display/focus.ts';
import { LoadingSign } from '../../display/loading.tsx';
import type { RunningToolCall } from './tool-call.ts';

const PERCENT = 100;

/** Forms are large and loaded when they are needed. */
const Questions = lazy(async () => ({ default: (await import('./questions.tsx')).Questions }));

interface CallStateProps {
  readonly running: RunningToolCall;
  /** The server of the tool; absent for a workflow, which calls several. */
  readonly server?: string | undefined;
  /** Names the part of the page. */
  readonly label: string;
  /** Shown while the call runs and the server reports nothing. */
  readonly runningText: string;
  readonly cancelText: string;
  /** Renders the result. */
  readonly children: (result: JsonObject, isError: boolean) => ReactNode;
}

const Progress = ({
  running: { call, cancel },
  runningText,
  cancelText,
}: CallStateProps): ReactNode => {
  const progress = call.state === 'running' ? call.progress : undefined;
  return (
    <Card withBorder role="status">
      <Stack gap="xs">
        <Group gap="xs">
          <Loader size="xs" />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{progress?.message ?? runningText}</bdi>
          </Text>
          <Button variant="default" size="xs" onClick={cancel}>
            {cancelText}
          </Button>
        </Group>
        {progress?.total !== undefined && (
          <ProgressBar
            value={(progress.progress / progress.total) * PERCENT}
            aria-label="Progress"
          />
        )}
      </Stack>
    </Card>
  );
};

const Content = (props: CallStateProps): ReactNode => {
  const { tool, call, answer } = props.running;
  switch (call.state) {
    case 'idle':
      return null;
    case 'running':
      return <Progress {...props} />;
    case 'asking':
      return (
        <Suspense fallback={<LoadingSign label="Loading the question" />}>
          <Questions
            tool={tool}
            server={props.server}
            questions={call.questions}
            requestState={call.requestState}
            onAnswer={answer}
          />
        </Suspense>
      );
    case 'done':
      return props.children(call.result, call.isError);
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

/** The last call of a tool: its progress, its questions, or how it ended. Receives the focus that a change of it takes away. */
export const CallState = (props: CallStateProps): ReactNode => {
  const { running, label } = props;
  const group = useFocusRecovery<HTMLDivElement>(running.call.state);
  return (
    <div ref={group} role="group" aria-label={label} tabIndex={-1}>
      <Content {...props} />
    </div>
  );
};
