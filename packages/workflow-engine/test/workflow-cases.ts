import type { CallOutcome } from '@gateway/call-contract';
import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import {
  echo,
  errorResult,
  jsonResult,
  harnessOf,
  workflowOf,
  type Ran,
  type Tool,
} from './run-harness.ts';
import type { EngineLimits, ToolCall } from '../src/index.ts';

/** One way in which a tool answers a call. */
type Reply =
  | { readonly json: unknown }
  | { readonly text: string }
  /** A result with `isError`. */
  | { readonly error: string }
  /** There is no result: the server is gone, the tool unknown. */
  | { readonly unreachable: string }
  /** A whole result of `tools/call`. */
  | { readonly result: Readonly<Record<string, unknown>> }
  /** The arguments come back. */
  | { readonly echo: true };

/** A step of a document; `condition` has what it was evaluated to, the result and the tool. */
interface CaseStep {
  readonly [member: string]: unknown;
  readonly condition?: readonly [evaluation: boolean, result: unknown, tool: string];
}

/** A `*.case.yaml`: a workflow, what it is run with, and what must come of it. */
export interface WorkflowCase {
  /** What the case is about, with the section of the specification. */
  readonly why: string;
  readonly spec: unknown;
  /** Specs of workflows that can be called as `workflow_<name>`; `demo` is the one that is run. */
  readonly workflows?: Readonly<Record<string, unknown>>;
  readonly input?: unknown;
  readonly limits?: Partial<EngineLimits>;
  /** By tool: one reply for all calls, or one for each, the last of them for all that follow. `x_say` returns its arguments. */
  readonly tools?: Readonly<Record<string, Reply | readonly Reply[]>>;
  /**
   * What the caller gets: the JSON of the first item. A document with steps has the members of every document unless it states
   * them; a step has completed unless it states another status.
   */
  readonly document: Readonly<Record<string, unknown>> & { readonly steps?: readonly CaseStep[] };
  /** False when it is not said. */
  readonly isError?: boolean;
  /** Every call, in the order in which they were made: the tool, and its arguments. */
  readonly calls: readonly Readonly<Record<string, unknown>>[];
  readonly warnings?: readonly string[];
}

const outcomeOf = (reply: Reply, { arguments: args }: ToolCall): CallOutcome => {
  if ('unreachable' in reply) return { ok: false, text: reply.unreachable };
  if ('error' in reply) return { ok: true, result: errorResult(reply.error) };
  if ('result' in reply) return { ok: true, result: reply.result };
  if ('text' in reply) {
    return { ok: true, result: { content: [{ type: 'text', text: reply.text }] } };
  }
  return { ok: true, result: jsonResult('echo' in reply ? args : reply.json) };
};

const toTool = (replies: Reply | readonly Reply[]): Tool => {
  const list = [replies].flat();
  let next = 0;
  return (call) => {
    const reply = list[Math.min(next, list.length - 1)]!;
    next += 1;
    return outcomeOf(reply, call);
  };
};

const mapped = <V, W>(map: Readonly<Record<string, V>>, change: (value: V, key: string) => W) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));

/** What became of a case, in the words of its file. */
export const runCase = async (given: WorkflowCase) => {
  const { spec, workflows = {}, tools = {}, limits = {}, input = {} } = given;
  const demo = workflowOf(spec);
  const harness = harnessOf({
    limits,
    tools: { x_say: echo, ...mapped(tools, toTool) },
    workflows: { ...mapped(workflows, (nested, name) => workflowOf(nested, name)), demo },
  });
  const { document, isError }: Ran = await harness.run(demo, input);
  return {
    document: document as unknown,
    isError,
    calls: harness.calls.map((call) => ({ [call.tool]: call.arguments })),
    warnings: harness.warnings,
    records: harness.records,
  };
};

const expandStep = ({ condition, ...step }: CaseStep) => {
  const completed = { status: 'completed', ...step };
  if (condition === undefined) return completed;
  const [condition_evaluation, condition_result, condition_tool] = condition;
  return { ...completed, condition_evaluation, condition_result, condition_tool };
};

/** What must come of a case. */
export const createExpectation = (given: WorkflowCase) => {
  const { document, calls, input = {}, isError = false, warnings = [] } = given;
  const status = isError ? 'failed' : 'completed';
  const whole = { execution_id: 'run-1', workflow: 'demo', status, input, template_vars: [] };
  const steps = document.steps?.map(expandStep);
  return {
    document: steps === undefined ? document : { ...whole, ...document, steps },
    isError,
    calls,
    warnings,
  };
};

const folder = new URL('./cases/', import.meta.url);

/** All cases, by the name of their file. */
export const workflowCases: ReadonlyMap<string, WorkflowCase> = new Map(
  readdirSync(folder).map((file) => [
    file.replace('.case.yaml', ''),
    parse(readFileSync(new URL(file, folder), 'utf8')) as WorkflowCase,
  ]),
);
