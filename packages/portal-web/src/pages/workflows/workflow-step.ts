import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';

/** Decides whether a step runs. @spec §2.7 */
export interface StepCondition {
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
export interface ToolStep extends StepBase {
  readonly kind: 'tool';
  readonly tool: string;
  readonly args: JsonObject;
}

/** A step of a workflow, as `core_workflow_get` returns it. @spec §2.7 */
export type WorkflowStep =
  | ToolStep
  | (StepBase & {
      readonly kind: 'forEach';
      readonly items: string;
      readonly as: string;
      readonly steps: readonly ToolStep[];
    })
  | (StepBase & { readonly kind: 'parallel'; readonly steps: readonly ToolStep[] });

const DEFAULT_VARIABLE = 'item';
const SOURCES = ['template', 'tool', 'fromStep'] as const;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

const conditionOf = (value: unknown): StepCondition | undefined => {
  if (!isJsonObject(value)) return undefined;
  const source = SOURCES.find((key) => typeof value[key] === 'string');
  return source && { source, subject: textOf(value[source]), written: value };
};

const baseOf = (step: JsonObject): StepBase => {
  const condition = conditionOf(step['condition']);
  return {
    id: textOf(step['id']),
    description: textOf(step['description']),
    ...(condition !== undefined && { condition }),
    allowsFailure: step['allowFailure'] === true,
    isShown: step['output'] === true || step['store'] === true,
  };
};

const toolStepOf = (step: JsonObject): ToolStep => ({
  ...baseOf(step),
  kind: 'tool',
  tool: textOf(step['tool']),
  args: objectOf(step['args']),
});

const objectsOf = (value: unknown): readonly JsonObject[] =>
  (Array.isArray(value) ? value : []).filter(isJsonObject);

/** Returns the sub-steps of a list, for example those of `onFailure`. */
export const toolStepsOf = (value: unknown): readonly ToolStep[] =>
  objectsOf(value).map(toolStepOf);

const stepOf = (step: JsonObject): WorkflowStep => {
  const { forEach, parallel } = step;
  if (isJsonObject(forEach))
    return {
      ...baseOf(step),
      kind: 'forEach',
      items: textOf(forEach['items']),
      as: textOf(forEach['as']) || DEFAULT_VARIABLE,
      steps: toolStepsOf(forEach['steps']),
    };
  if (Array.isArray(parallel))
    return { ...baseOf(step), kind: 'parallel', steps: toolStepsOf(parallel) };
  return toolStepOf(step);
};

/** Returns the steps of a definition, in order. Entries that are no objects are left out. */
export const stepsOf = (value: unknown): readonly WorkflowStep[] => objectsOf(value).map(stepOf);

/** Returns the steps inside of a step. */
export const innerSteps = (step: WorkflowStep): readonly ToolStep[] =>
  step.kind === 'tool' ? [] : step.steps;

/** Returns a condition in words. */
export const conditionText = ({ source, subject }: StepCondition): string => {
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
export const stepText = (step: WorkflowStep): string => {
  switch (step.kind) {
    case 'tool':
      return step.tool;
    case 'forEach':
      return `for each ${step.as} of ${step.items}`;
    case 'parallel':
      return 'all at once';
  }
};
