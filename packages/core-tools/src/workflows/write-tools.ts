import type { JsonObject } from '@gateway/call-contract';
import {
  MAX_RESOURCE_BYTES,
  parseWorkflowDefinition,
  workflowWarningText,
  type Workflow,
} from '@gateway/crd-schemas';
import { CREATES, DISRUPTS, READS, ENDS_OR_REPLACES } from '../tool/annotations.ts';
import type { ValuesOf } from '../arguments/arguments.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import type { CoreToolPorts } from '../tool/ports.ts';
import type { WriteOutcome } from '../tool/writer-ports.ts';
import { failedResult, sentenceResult } from '../tool/result.ts';
import { exceedsSize } from './exceeds-size.ts';
import { DEFINITION_ARGUMENTS, WORKFLOW_NAME } from './definition-arguments.ts';

type Definition = ValuesOf<typeof DEFINITION_ARGUMENTS>;

interface MadeWorkflow {
  readonly workflow: Workflow;
  readonly warnings: readonly string[];
}

/** Reported alone, because validating such a definition takes too long. No file may have this size. */
const TOO_LARGE = `the definition must have at most ${String(MAX_RESOURCE_BYTES)} characters`;

/** Returns the workflow of a definition with its warnings, which are also logged; or the problems. @spec §2.7 */
const workflowOf = (
  definition: Definition,
  ports: CoreToolPorts,
): MadeWorkflow | { readonly problems: readonly string[] } => {
  if (exceedsSize(definition, MAX_RESOURCE_BYTES)) return { problems: [TOO_LARGE] };
  const { apiGroup } = ports;
  const parsed = parseWorkflowDefinition(definition, apiGroup === undefined ? {} : { apiGroup });
  if (!parsed.ok) return { problems: parsed.problems };
  const { workflow } = parsed;
  const warnings = parsed.warnings.map((warning) =>
    workflowWarningText(warning, workflow.metadata.name),
  );
  for (const warning of warnings) ports.warn(warning);
  return { workflow, warnings };
};

/** Callers do not see the log, so each warning follows the sentence as a line. */
const doneResult = (sentence: string, warnings: readonly string[]): JsonObject =>
  sentenceResult([sentence, ...warnings].join('\n'), warnings.length > 0 ? { warnings } : {});

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
      return doneResult(done, warnings);
    case 'exists':
      return failedResult(`Failed to ${verb} workflow: workflow ${name} already exists`);
    case 'missing':
      return failedResult(`Failed to ${verb} workflow: workflow ${name} not found`);
    case 'failed':
      return failedResult(`Failed to ${verb} workflow: ${outcome.text}`);
  }
};

const refusal = (start: string, problems: readonly string[]): JsonObject =>
  failedResult(`${start}: ${problems.join('; ')}`, { problems });

/** The tools that check and write workflows. @spec §2.7 */
export const workflowWriteTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_workflow_create',
    description: 'Create a workflow: many tool calls as one tool, workflow_<name>.',
    annotations: CREATES,
    writes: 'workflows',
    arguments: DEFINITION_ARGUMENTS,
    run: async (definition, ports) => {
      const made = workflowOf(definition, ports);
      if ('problems' in made)
        return refusal('Failed to create workflow: validation failed', made.problems);
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
      const made = workflowOf(definition, ports);
      if ('problems' in made)
        return refusal('Failed to update workflow: validation failed', made.problems);
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
      const made = workflowOf(definition, ports);
      return 'problems' in made
        ? refusal('Validation failed', made.problems)
        : doneResult(`Validation successful for workflow ${definition.name}`, made.warnings);
    },
  }),
];
