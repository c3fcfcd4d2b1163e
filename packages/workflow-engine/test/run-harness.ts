import type { CallOutcome, JsonObject } from '@gateway/call-contract';
import { parseWorkflow, type ExecutionRecord, type Workflow } from '@gateway/crd-schemas';
import type { JsonMap } from '@gateway/go-template';
import { createWorkflowEngine, runIsolatedWork } from '../src/index.ts';
import type {
  EngineLimits,
  EnginePorts,
  RunOptions,
  ToolCall,
  ToolCallContext,
  WorkflowEngine,
} from '../src/index.ts';

/** A workflow that the schemas accept, from its `spec`. */
export const workflowOf = (spec: unknown, name = 'demo'): Workflow => {
  const document = {
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'Workflow',
    metadata: { name },
    spec,
  };
  const parsed = parseWorkflow(document);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.workflow;
};

/** A result with this value as its JSON. */
export const jsonResult = (value: unknown): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

/** A failed result with this text. */
export const errorResult = (text: string): JsonObject => ({
  content: [{ type: 'text', text }],
  isError: true,
});

/** What a tool does with a call: answers with a value, or says all of the outcome. */
export type Tool = (call: ToolCall, context: ToolCallContext) => CallOutcome | Promise<CallOutcome>;

/** A tool that answers with the JSON of what the function gives. */
export const answering =
  (value: (args: ToolCall['arguments']) => unknown): Tool =>
  ({ arguments: args }) => ({ ok: true, result: jsonResult(value(args)) });

/** A tool whose results are errors. */
export const failing =
  (text: string): Tool =>
  () => ({ ok: true, result: errorResult(text) });

/** A tool that answers with its arguments. */
export const echo: Tool = answering((args) => args);

export interface HarnessOptions {
  readonly tools?: Readonly<Record<string, Tool>>;
  /** Answered as `workflow_<name>`, in the chain of the caller. */
  readonly workflows?: Readonly<Record<string, Workflow>>;
  readonly limits?: Partial<EngineLimits>;
  readonly report?: EnginePorts['report'];
  /** Does large work in the same process, as JSON, and lists it. */
  readonly isolates?: boolean;
}

export interface RunHarness {
  readonly engine: WorkflowEngine;
  readonly calls: ToolCall[];
  readonly contexts: ToolCallContext[];
  readonly records: ExecutionRecord[];
  readonly warnings: string[];
  /** Work that was done isolated, with its run. */
  readonly isolated: { readonly work: JsonMap; readonly run: object | undefined }[];
  /** Runs and reads the first item of the result. */
  readonly run: (workflow: Workflow, args?: unknown, options?: Partial<RunOptions>) => Promise<Ran>;
}

export interface Ran {
  readonly result: JsonObject;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into documents of any shape
  readonly document: any;
  readonly isError: boolean;
}

const readResult = (result: JsonObject): Ran => {
  const [item] = result['content'] as readonly { readonly text: string }[];
  return { result, document: JSON.parse(item!.text), isError: result['isError'] === true };
};

/** An engine over these tools, with everything that it did. Runs are called `run-1`, `run-2`; a second passes with each look at the clock. */
export const harnessOf = ({
  tools = {},
  workflows = {},
  limits = {},
  report,
  isolates = false,
}: HarnessOptions): RunHarness => {
  const calls: ToolCall[] = [];
  const contexts: ToolCallContext[] = [];
  const records: ExecutionRecord[] = [];
  const warnings: string[] = [];
  const isolated: RunHarness['isolated'] = [];
  const isolate: EnginePorts['isolate'] = ({ work, turn: { run } }) => {
    const given = JSON.parse(JSON.stringify(work())) as JsonMap;
    isolated.push({ work: given, run });
    return Promise.resolve({ ok: true, value: runIsolatedWork(given) });
  };
  let [runs, seconds] = [0, 0];
  const call = async (made: ToolCall, context: ToolCallContext): Promise<CallOutcome> => {
    const { tool } = made;
    const nested = /^workflow_(.*)$/u.exec(tool)?.[1];
    if (nested !== undefined && Object.hasOwn(workflows, nested)) {
      const result = await engine.run(workflows[nested]!, made.arguments, context);
      return { ok: true, result };
    }
    if (!Object.hasOwn(tools, tool)) return { ok: false, text: `Tool not found: ${tool}` };
    return tools[tool]!(made, context);
  };
  const engine = createWorkflowEngine(
    {
      callTool: (made, context) => {
        calls.push(made);
        contexts.push(context);
        return call(made, context);
      },
      now: () => (seconds += 1) * 1000,
      newId: () => `run-${(runs += 1)}`,
      warn: (text) => warnings.push(text),
      record: (record) => void records.push(record),
      report,
      ...(isolates && { isolate }),
    },
    limits,
  );
  return {
    engine,
    calls,
    contexts,
    records,
    warnings,
    isolated,
    run: async (workflow, args = {}, options = {}) =>
      readResult(
        await engine.run(workflow, args, { signal: new AbortController().signal, ...options }),
      ),
  };
};
