import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';
import type { WorkflowState } from '../../addresses/workflow-search.ts';
import { stepsOf, toolStepsOf, type ToolStep, type WorkflowStep } from './workflow-step.ts';

/** A workflow in the list of the gateway, for the person who reads it. @spec §2.7 */
export interface WorkflowEntry {
  readonly name: string;
  readonly description: string;
  readonly isValid: boolean;
  /** It is valid, and the person has all of its tools. */
  readonly isAvailable: boolean;
  /** The tools that the person does not have; in a list the first ones. */
  readonly missing: readonly string[];
}

/** A workflow with its definition. An invalid one has problems and its text only. @spec §2.7 */
export interface WorkflowFacts extends WorkflowEntry {
  readonly problems: readonly string[];
  readonly steps: readonly WorkflowStep[];
  /** Run when a step fails. */
  readonly handlers: readonly ToolStep[];
  /** The template of the returned document. */
  readonly output?: JsonObject;
  readonly yaml: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : []).filter((item) => typeof item === 'string');

const entryOf = (value: JsonObject, isValid: boolean): WorkflowEntry => ({
  name: textOf(value['name']),
  description: textOf(value['description']),
  isValid,
  isAvailable: isValid && value['available'] === true,
  missing: textsOf(value['missing']),
});

/** Reads an answer of `core_workflow_list`. */
export const workflowEntriesOf = ({ workflows }: JsonObject): readonly WorkflowEntry[] =>
  (Array.isArray(workflows) ? workflows : [])
    .filter(isJsonObject)
    .filter(({ name }) => typeof name === 'string')
    .map((entry) => entryOf(entry, entry['valid'] !== false));

/** Reads an answer of `core_workflow_get`. */
export const workflowFactsOf = (answer: JsonObject): WorkflowFacts => {
  const workflow = isJsonObject(answer['workflow']) ? answer['workflow'] : {};
  const status = isJsonObject(workflow['status']) ? workflow['status'] : {};
  const { output } = workflow;
  return {
    ...entryOf(workflow, status['valid'] !== false),
    problems: textsOf(status['validationErrors']),
    steps: stepsOf(workflow['steps']),
    handlers: toolStepsOf(workflow['onFailure']),
    ...(isJsonObject(output) && { output }),
    yaml: textOf(answer['yaml']),
  };
};

/** Returns the state of a workflow. */
export const stateOfWorkflow = ({ isValid, isAvailable }: WorkflowEntry): WorkflowState => {
  if (!isValid) return 'invalid';
  return isAvailable ? 'available' : 'missing';
};

/** Which workflows to show. */
export interface WorkflowFilter {
  /** Words that the name or the description contains, all of them. */
  readonly query?: string;
  readonly state?: WorkflowState;
}

/** Returns the workflows that match a filter. */
export const filterWorkflows = (
  workflows: readonly WorkflowEntry[],
  { query = '', state }: WorkflowFilter,
): readonly WorkflowEntry[] => {
  const words = query.toLowerCase().split(/\s+/u);
  return workflows.filter((workflow) => {
    const text = `${workflow.name} ${workflow.description}`.toLowerCase();
    const isOfState = state === undefined || stateOfWorkflow(workflow) === state;
    return isOfState && words.every((word) => text.includes(word));
  });
};
