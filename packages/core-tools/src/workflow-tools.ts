import type { JsonObject, WriteOutcome } from '@gateway/call-contract';
import {
  MAX_RESOURCE_BYTES,
  parseWorkflowDefinition,
  type Workflow,
  WORKFLOW_DEFINITION_SCHEMA,
  toWorkflowDocument,
  formatWarning,
} from '@gateway/crd-schemas';
import type {
  ArrayArgument,
  ObjectArgument,
  TextArgument,
  CoreArgumentValues,
} from './arguments.ts';
import {
  compareNames,
  type CoreTool,
  CREATES,
  defineCoreTool,
  DISRUPTS,
  ENDS_OR_REPLACES,
  createErrorResult,
  createObjectResult,
  READS,
  createSentenceResult,
  formatUtcTime,
} from './core-tool.ts';
import type { CoreCallContext, CoreToolPorts, WorkflowView } from './ports.ts';

/**
 * Returns whether plain data has more than `max` characters as YAML, counting its texts and keys and two characters for each value. Visits no
 * more values than that.
 */
const isTooLarge = (value: unknown, max: number): boolean => {
  const values: unknown[] = [value];
  let size = 0;
  while (size <= max && values.length > 0) {
    const next = values.pop();
    size += typeof next === 'string' ? next.length : 2;
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (!Array.isArray(next)) size += key.length;
      values.push((next as Readonly<Record<string, unknown>>)[key]);
      if (values.length > max) return true;
    }
  }
  return size > max;
};

const WORKFLOW_NAME = {
  type: 'string',
  required: true,
  description: 'Name of the workflow; its tool is workflow_<name>',
} as const satisfies TextArgument;

/**
 * The fields of a workflow definition. The rules of workflows check their content and lengths.
 *
 * @spec §2.7
 */
const DEFINITION_ARGUMENTS = {
  name: WORKFLOW_NAME,
  steps: {
    type: 'array',
    required: true,
    description: 'Steps in order; each is exactly one of tool, forEach, parallel',
    schema: WORKFLOW_DEFINITION_SCHEMA.steps,
  },
  description: {
    type: 'string',
    required: false,
    description: 'What the workflow does: agents find it by this text alone',
    maxUnits: Number.POSITIVE_INFINITY,
    schema: WORKFLOW_DEFINITION_SCHEMA.description,
  },
  args: {
    type: 'object',
    required: false,
    description: 'Arguments by name; templates read them as {{ .input.<name> }}',
    schema: WORKFLOW_DEFINITION_SCHEMA.args,
  },
  onFailure: {
    type: 'array',
    required: false,
    description: 'Cleanup sub-steps, run in order when a step fails that may not',
    alias: 'on_failure',
    schema: WORKFLOW_DEFINITION_SCHEMA.onFailure,
  },
  output: {
    type: 'object',
    required: false,
    description: 'Template of the returned document; without it the run is described',
    schema: WORKFLOW_DEFINITION_SCHEMA.output,
  },
} as const satisfies Readonly<Record<string, TextArgument | ArrayArgument | ObjectArgument>>;

/** Returns the availability of a workflow for this caller; an invalid workflow is never available. */
const computeAvailability = (
  { name, status }: WorkflowView,
  ports: CoreToolPorts,
  context: CoreCallContext,
): { readonly available: boolean; readonly missing?: readonly string[] } => {
  if (!status.valid) return { available: false };
  const { available, missing } = ports.workflowAvailability(name, context);
  return { available, ...(missing.length > 0 && { missing }) };
};

/** The most missing tools of a workflow in a list, which would grow with the steps of all workflows. */
const MAX_MISSING = 20;

/** Returns one workflow for a list: whether it is valid, and which tools it lacks, of which the first ones are named. */
const toListEntry = (
  view: WorkflowView,
  ports: CoreToolPorts,
  context: CoreCallContext,
): JsonObject => {
  const { available, missing = [] } = computeAvailability(view, ports, context);
  return {
    name: view.name,
    available,
    ...(missing.length > 0 && { missing: missing.slice(0, MAX_MISSING) }),
    ...(view.description !== '' && { description: view.description }),
    ...(!view.status.valid && { valid: false }),
  };
};

/** An unknown time is omitted. */
const toTimes = ({ createdAt, modifiedAt }: WorkflowView): JsonObject => ({
  ...(createdAt > 0 && { createdAt: formatUtcTime(createdAt) }),
  ...(modifiedAt > 0 && { lastModified: formatUtcTime(modifiedAt) }),
});

/** Returns one workflow with its valid definition and its status. @spec §2.7 */
const toWorkflowInfo = (
  view: WorkflowView,
  ports: CoreToolPorts,
  context: CoreCallContext,
): JsonObject => ({
  name: view.name,
  description: view.description,
  ...(Object.keys(view.labels).length > 0 && { labels: view.labels }),
  ...(view.workflow !== undefined && toWorkflowDocument(view.workflow).spec),
  ...computeAvailability(view, ports, context),
  status: view.status,
  ...toTimes(view),
});

/** The tools that show workflows. @spec §2.7 */
export const workflowReadTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_workflow_list',
    description: 'List all workflows, and which of them can run now.',
    annotations: READS,
    arguments: {
      include_system: { type: 'boolean', required: false, description: 'Has no effect' },
    },
    run: (_args, ports, context) =>
      createObjectResult({
        workflows: ports
          .workflows()
          .toSorted(compareNames)
          .map((view) => toListEntry(view, ports, context)),
      }),
  }),
  defineCoreTool({
    name: 'core_workflow_get',
    description: 'Show one workflow: its definition, status and YAML.',
    annotations: READS,
    arguments: { name: WORKFLOW_NAME },
    run: ({ name }, ports, context) => {
      const view = ports.workflows().find((one) => one.name === name);
      return view === undefined
        ? createErrorResult(`Failed to get workflow: workflow ${name} not found`)
        : createObjectResult({ workflow: toWorkflowInfo(view, ports, context), yaml: view.text });
    },
  }),
  defineCoreTool({
    name: 'core_workflow_available',
    description:
      'Report whether a workflow can run: it exists, is valid, and all its tools are available.',
    annotations: READS,
    arguments: { name: WORKFLOW_NAME },
    run: ({ name }, ports, context) => {
      const view = ports.workflows().find((one) => one.name === name);
      const answer =
        view === undefined ? { available: false } : computeAvailability(view, ports, context);
      return createObjectResult({ name, ...answer });
    },
  }),
];

type Definition = CoreArgumentValues<typeof DEFINITION_ARGUMENTS>;

interface MadeWorkflow {
  readonly workflow: Workflow;
  readonly warnings: readonly string[];
}

/** Reported alone, because validating such a definition takes too long. No file may have this size. */
const TOO_LARGE = `the definition must have at most ${String(MAX_RESOURCE_BYTES)} characters`;

/** Returns the workflow of a definition with its warnings, which are also logged; or the problems. @spec §2.7 */
const parseWorkflow = (
  definition: Definition,
  ports: CoreToolPorts,
): MadeWorkflow | { readonly problems: readonly string[] } => {
  if (isTooLarge(definition, MAX_RESOURCE_BYTES)) return { problems: [TOO_LARGE] };
  const { apiGroup } = ports;
  const parsed = parseWorkflowDefinition(definition, { apiGroup });
  if (!parsed.ok) return { problems: parsed.error };
  const { workflow } = parsed.value;
  const warnings = parsed.value.warnings.map((warning) =>
    formatWarning(warning, workflow.metadata.name),
  );
  for (const warning of warnings) ports.warn(warning);
  return { workflow, warnings };
};

/** Callers do not see the log, so each warning follows the sentence as a line. */
const createSuccessResult = (sentence: string, warnings: readonly string[]): JsonObject =>
  createSentenceResult([sentence, ...warnings].join('\n'), warnings.length > 0 ? { warnings } : {});

/** Writes a workflow and returns the sentence of a success. */
interface WriteTexts {
  readonly verb: string;
  readonly name: string;
  readonly done: string;
}

const writeResult = (
  outcome: WriteOutcome,
  { verb, name, done }: WriteTexts,
  warnings: readonly string[] = [],
): JsonObject => {
  switch (outcome.kind) {
    case 'done':
      return createSuccessResult(done, warnings);
    case 'exists':
      return createErrorResult(`Failed to ${verb} workflow: workflow ${name} already exists`);
    case 'missing':
      return createErrorResult(`Failed to ${verb} workflow: workflow ${name} not found`);
    case 'failed':
      return createErrorResult(`Failed to ${verb} workflow: ${outcome.text}`);
  }
};

const createRefusal = (start: string, problems: readonly string[]): JsonObject =>
  createErrorResult(`${start}: ${problems.join('; ')}`, { problems });

/** The tools that check and write workflows. @spec §2.7 */
export const workflowWriteTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_workflow_create',
    description: 'Create a workflow: many tool calls as one tool, workflow_<name>.',
    annotations: CREATES,
    writes: 'workflows',
    arguments: DEFINITION_ARGUMENTS,
    run: async (definition, ports) => {
      const made = parseWorkflow(definition, ports);
      if ('problems' in made)
        return createRefusal('Failed to create workflow: validation failed', made.problems);
      const outcome = await ports.writeWorkflow.create(made.workflow);
      const { name } = definition;
      const done = 'Workflow created successfully';
      return writeResult(outcome, { verb: 'create', name, done }, made.warnings);
    },
  }),
  defineCoreTool({
    name: 'core_workflow_update',
    description: 'Replace the whole definition of a workflow.',
    annotations: ENDS_OR_REPLACES,
    writes: 'workflows',
    arguments: DEFINITION_ARGUMENTS,
    run: async (definition, ports) => {
      const made = parseWorkflow(definition, ports);
      if ('problems' in made)
        return createRefusal('Failed to update workflow: validation failed', made.problems);
      const outcome = await ports.writeWorkflow.replace(made.workflow);
      const { name } = definition;
      const done = `Workflow '${name}' updated successfully`;
      return writeResult(outcome, { verb: 'update', name, done }, made.warnings);
    },
  }),
  defineCoreTool({
    name: 'core_workflow_delete',
    description: 'Delete a workflow for good.',
    annotations: DISRUPTS,
    writes: 'workflows',
    arguments: { name: WORKFLOW_NAME },
    run: async ({ name }, ports) => {
      const outcome = await ports.writeWorkflow.remove(name);
      const done = `Workflow '${name}' deleted successfully`;
      return writeResult(outcome, { verb: 'delete', name, done });
    },
  }),
  defineCoreTool({
    name: 'core_workflow_validate',
    description: 'Check a definition without creating anything; takes what create takes.',
    annotations: READS,
    arguments: DEFINITION_ARGUMENTS,
    run: (definition, ports) => {
      const made = parseWorkflow(definition, ports);
      return 'problems' in made
        ? createRefusal('Validation failed', made.problems)
        : createSuccessResult(
            `Validation successful for workflow ${definition.name}`,
            made.warnings,
          );
    },
  }),
];
