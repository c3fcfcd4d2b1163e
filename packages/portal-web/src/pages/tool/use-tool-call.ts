import { useCallback, useSyncExternalStore } from 'react';
import { useBackend } from '../../backend/backend-context.ts';
import type { JsonObject } from '../../mcp/mcp-outcome.ts';
import { callsOf } from './running-calls.ts';
import type { Answers, ToolCall } from './tool-call.ts';

/** A call of one tool at a time, and what a person can do with it. */
export interface RunningToolCall {
  readonly tool: string;
  readonly call: ToolCall;
  /** The arguments of the last call. */
  readonly lastArguments: JsonObject;
  readonly start: (args: JsonObject) => void;
  /** Continues a call that asks. */
  readonly answer: (answers: Answers) => void;
  readonly cancel: () => void;
}

/** Calls a tool and follows its last call, also one that began before the person left the page and came back. */
export const useToolCall = (name: string): RunningToolCall => {
  const calls = callsOf(useBackend().gateway);
  const read = useCallback(() => calls.last(name), [calls, name]);
  const { call, args } = useSyncExternalStore(calls.subscribe, read);
  return {
    tool: name,
    call,
    lastArguments: args,
    start: (given) => calls.start(name, given),
    answer: (answers) => calls.start(name, args, answers),
    cancel: () => calls.cancel(name),
  };
};

/** Returns the names of the tools whose calls run, in the order in which they began. */
export const useRunningCalls = (): readonly string[] => {
  const calls = callsOf(useBackend().gateway);
  return useSyncExternalStore(calls.subscribe, () => calls.running);
};
