import {
  WORKFLOW_TOOL_PREFIX,
  isJsonObject,
  type JsonObject,
  toObject,
  toObjects,
  toText,
  toTexts,
} from '@gateway/call-contract';
import type { UseQueryResult } from '@tanstack/react-query';
import type { WorkflowState } from '../../addresses/searches.ts';
import { parseToolDetail, type ToolDetail } from '../tool/tool-detail.ts';
import { useToolAnswer } from '../../queries/core-tools.ts';

/** Decides whether a step runs. @spec §2.7 */
interface StepCondition {
  readonly source: 'template' | 'tool' | 'fromStep';
  /** The template, the tool, or the id of the step. */
  readonly subject: string;
  /** The condition as it is written. */
  readonly written: JsonObject;
}

interface StepBase {
  readonly id: string;
  readonly description: string;
  readonly condition?: StepCondition;
  readonly allowsFailure: boolean;
  /** The result is part of the returned document. */
  readonly isShown: boolean;
}

/** A step that calls a tool. @spec §2.7 */
export interface ShownToolStep extends StepBase {
  readonly kind: 'tool';
  readonly tool: string;
  readonly args: JsonObject;
}

/** A step of a workflow, as `core_workflow_get` returns it. @spec §2.7 */
export type WorkflowStep =
  | ShownToolStep
  | (StepBase & {
      readonly kind: 'forEach';
      readonly items: string;
      readonly as: string;
      readonly steps: readonly ShownToolStep[];
    })
  | (StepBase & { readonly kind: 'parallel'; readonly steps: readonly ShownToolStep[] });

const DEFAULT_VARIABLE = 'item';
const SOURCES = ['template', 'tool', 'fromStep'] as const;

const parseCondition = (value: unknown): StepCondition | undefined => {
  if (!isJsonObject(value)) return undefined;
  const source = SOURCES.find((key) => typeof value[key] === 'string');
  return source && { source, subject: toText(value[source]), written: value };
};

const parseBase = (step: JsonObject): StepBase => {
  const condition = parseCondition(step['condition']);
  return {
    id: toText(step['id']),
    description: toText(step['description']),
    ...(condition !== undefined && { condition }),
    allowsFailure: step['allowFailure'] === true,
    isShown: step['output'] === true || step['store'] === true,
  };
};

const parseToolStep = (step: JsonObject): ShownToolStep => ({
  ...parseBase(step),
  kind: 'tool',
  tool: toText(step['tool']),
  args: toObject(step['args']),
});

/** Returns the sub-steps of a list, for example those of `onFailure`. */
export const parseToolSteps = (value: unknown): readonly ShownToolStep[] =>
  toObjects(value).map(parseToolStep);

const parseStep = (step: JsonObject): WorkflowStep => {
  const { forEach, parallel } = step;
  if (isJsonObject(forEach))
    return {
      ...parseBase(step),
      kind: 'forEach',
      items: toText(forEach['items']),
      as: toText(forEach['as']) || DEFAULT_VARIABLE,
      steps: parseToolSteps(forEach['steps']),
    };
  if (Array.isArray(parallel))
    return { ...parseBase(step), kind: 'parallel', steps: parseToolSteps(parallel) };
  return parseToolStep(step);
};

/** Returns the steps of a definition, in order. Entries that are no objects are left out. */
export const parseSteps = (value: unknown): readonly WorkflowStep[] =>
  toObjects(value).map(parseStep);

/** Returns the steps inside of a step. */
export const listInnerSteps = (step: WorkflowStep): readonly ShownToolStep[] =>
  step.kind === 'tool' ? [] : step.steps;

/** Returns a condition in words. */
export const formatCondition = ({ source, subject }: StepCondition): string => {
  switch (source) {
    case 'template':
      return `if ${subject}`;
    case 'tool':
      return `if the answer of ${subject} is as expected`;
    case 'fromStep':
      return `if the result of ${subject} is as expected`;
  }
};

/** Returns what a step does in words. */
export const formatStep = (step: WorkflowStep): string => {
  switch (step.kind) {
    case 'tool':
      return step.tool;
    case 'forEach':
      return `for each ${step.as} of ${step.items}`;
    case 'parallel':
      return 'all at once';
  }
};

/** A workflow in the list of the gateway, for the user who reads it. @spec §2.7 */
export interface WorkflowEntry {
  readonly name: string;
  readonly description: string;
  readonly isValid: boolean;
  /** It is valid, and the user has all of its tools. */
  readonly isAvailable: boolean;
  /** The tools that the user does not have; in a list the first ones. */
  readonly missing: readonly string[];
}

/** A workflow with its definition. An invalid one has problems and its text only. @spec §2.7 */
export interface WorkflowFacts extends WorkflowEntry {
  readonly problems: readonly string[];
  readonly steps: readonly WorkflowStep[];
  /** Run when a step fails. */
  readonly handlers: readonly ShownToolStep[];
  /** The template of the returned document. */
  readonly output?: JsonObject;
  readonly yaml: string;
  /** The arguments of the tool that writes it. */
  readonly definition: JsonObject;
}

const parseEntry = (value: JsonObject, isValid: boolean): WorkflowEntry => ({
  name: toText(value['name']),
  description: toText(value['description']),
  isValid,
  isAvailable: isValid && value['available'] === true,
  missing: toTexts(value['missing']),
});

/** Reads an answer of `core_workflow_list`. */
export const parseWorkflowList = ({ workflows }: JsonObject): readonly WorkflowEntry[] =>
  toObjects(workflows)
    .filter(({ name }) => typeof name === 'string')
    .map((entry) => parseEntry(entry, entry['valid'] !== false));

/** The keys of an answer that are not part of a definition. */
const RUNTIME: ReadonlySet<string> = new Set([
  ...['available', 'missing', 'valid', 'status', 'createdAt', 'lastModified'],
]);

/** Reads an answer of `core_workflow_get`. */
export const parseWorkflow = (answer: JsonObject): WorkflowFacts => {
  const workflow = toObject(answer['workflow']);
  const status = toObject(workflow['status']);
  const { output } = workflow;
  return {
    ...parseEntry(workflow, status['valid'] !== false),
    problems: toTexts(status['validationErrors']),
    steps: parseSteps(workflow['steps']),
    handlers: parseToolSteps(workflow['onFailure']),
    ...(isJsonObject(output) && { output }),
    yaml: toText(answer['yaml']),
    definition: Object.fromEntries(Object.entries(workflow).filter(([key]) => !RUNTIME.has(key))),
  };
};

/** Returns the state of a workflow. */
export const toWorkflowState = ({ isValid, isAvailable }: WorkflowEntry): WorkflowState => {
  if (!isValid) return 'invalid';
  return isAvailable ? 'available' : 'missing';
};

const POLL_MS = 10_000;
/** The key of everything about workflows. */
export const WORKFLOWS_KEY = 'workflows';

/** Reads the workflows, sorted by name, repeatedly: tools come and go. @spec §2.7 */
export const useWorkflows = (): UseQueryResult<readonly WorkflowEntry[]> =>
  useToolAnswer(
    { key: [WORKFLOWS_KEY, 'list'], tool: 'core_workflow_list', parse: parseWorkflowList },
    { refetchInterval: POLL_MS },
  );

/** Reads a workflow with its definition. @spec §2.7 */
export const useWorkflow = (name: string): UseQueryResult<WorkflowFacts> =>
  useToolAnswer(
    {
      key: [WORKFLOWS_KEY, 'one', name],
      tool: 'core_workflow_get',
      args: { name },
      parse: parseWorkflow,
    },
    { refetchInterval: POLL_MS },
  );

/** Reads the tool as which a workflow is exposed: its schema is that of a run's arguments. @spec §2.7 */
export const useWorkflowTool = (name: string): UseQueryResult<ToolDetail> =>
  useToolAnswer({
    key: [WORKFLOWS_KEY, 'tool', name],
    tool: 'describe_tool',
    args: { name: `${WORKFLOW_TOOL_PREFIX}${name}` },
    parse: parseToolDetail,
  });
