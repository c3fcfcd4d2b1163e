import { useCallback, useRef, useState } from 'react';
import { useBackend } from '../../backend/backend-context.ts';
import type { JsonObject } from '../../mcp/mcp-outcome.ts';
import { callTool, type Answers, type ToolCall } from './tool-call.ts';

/** A call of one tool at a time, and what a person can do with it. */
export interface RunningToolCall {
  readonly call: ToolCall;
  readonly start: (args: JsonObject) => void;
  /** Continues a call that asks. */
  readonly answer: (answers: Answers) => void;
  readonly cancel: () => void;
}

/** Calls a tool and follows the call. A call ends with the page when it is cancelled only. */
export const useToolCall = (name: string): RunningToolCall => {
  const { gateway } = useBackend();
  const [call, setCall] = useState<ToolCall>({ state: 'idle' });
  const controller = useRef<AbortController>(undefined);
  const lastArguments = useRef<JsonObject>({});
  const run = useCallback(
    (args: JsonObject, answers?: Answers): void => {
      const ending = new AbortController();
      controller.current?.abort();
      controller.current = ending;
      lastArguments.current = args;
      setCall({ state: 'running' });
      const report = (next: ToolCall): void => {
        if (controller.current === ending) setCall(next);
      };
      void callTool(gateway, {
        name,
        args,
        ...(answers !== undefined && { answers }),
        signal: ending.signal,
        onProgress: (progress) => report({ state: 'running', progress }),
      }).then(report);
    },
    [gateway, name],
  );
  return {
    call,
    start: (args) => run(args),
    answer: (answers) => run(lastArguments.current, answers),
    cancel: () => controller.current?.abort(),
  };
};
