import type { WriteOutcome } from '@gateway/call-contract';
import {
  parseWorkflow,
  parseWorkflowDefinition,
  computeWorkflowStatus,
  type Workflow,
} from '@gateway/crd-schemas';
import type { CoreToolPorts, WorkflowView } from '../src/index.ts';
import { portsOver, type RecordingPorts } from './ports.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** The view of a workflow that is valid. */
const viewOf = (workflow: Workflow, text: string): WorkflowView => ({
  name: workflow.metadata.name,
  status: computeWorkflowStatus({ document: workflow, errors: [], at: AT }),
  workflow,
  description: workflow.spec.description,
  labels: workflow.metadata.labels,
  createdAt: AT,
  modifiedAt: AT + 60_000,
  text,
});

const parsed = (document: unknown): Workflow => {
  const outcome = parseWorkflow(document);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value.workflow;
};

/** Reads a report: every field that a workflow may have. */
export const report = viewOf(
  parsed({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'Workflow',
    metadata: { name: 'report', labels: { team: 'docs' } },
    spec: {
      description: 'Reads a report.',
      args: { path: { type: 'string', required: true } },
      steps: [
        { id: 'read', tool: 'x_files_read', args: { path: '{{ .input.path }}' } },
        {
          id: 'each',
          forEach: {
            items: '{{ .results.read.lines }}',
            steps: [{ id: 'look', tool: 'x_wiki_search', allowFailure: true }],
          },
        },
      ],
      onFailure: [{ id: 'tell', tool: 'core_workflow_list' }],
      output: { text: '{{ .results.read }}' },
    },
  }),
  '# As it is written.\nkind: Workflow\n',
);

const minimal = parseWorkflowDefinition({ name: 'apply', steps: [{ id: 'a', tool: 'x_gone' }] });
if (!minimal.ok) throw new Error(minimal.error.join());

/** A workflow with one step and no description, whose tool no server provides. */
const apply = viewOf(minimal.value.workflow, 'kind: Workflow\n');

/** A workflow that is not valid, of which no time is known. */
const torn: WorkflowView = {
  name: 'torn',
  status: computeWorkflowStatus({
    document: { spec: { steps: [{ id: 'a', tool: 'x_files_read' }, { id: 'b' }] } },
    errors: ['spec.steps[1]: one of tool, forEach, or parallel is required'],
    at: AT,
  }),
  description: '',
  labels: {},
  createdAt: 0,
  modifiedAt: 0,
  text: 'kind: Workflow\nspec: {}\n',
};

/** Ports over these workflows; `apply` lacks a tool. Writes end as `outcome` and are remembered. */
export const workflowPorts = (
  parts: Partial<CoreToolPorts> = {},
  outcome: WriteOutcome = { kind: 'done' },
): RecordingPorts & { readonly written: readonly Workflow[] } => {
  const ports = portsOver([]);
  const written: Workflow[] = [];
  const write = (verb: string) => (workflow: Workflow) => {
    ports.orders.push(`${verb} ${workflow.metadata.name}`);
    written.push(workflow);
    return Promise.resolve(outcome);
  };
  return {
    ...ports,
    written,
    workflows: () => [torn, report, apply],
    workflowAvailability: (name) =>
      name === 'apply'
        ? { available: false, missing: ['x_gone'] }
        : { available: true, missing: [] },
    writeWorkflow: {
      create: write('create'),
      replace: write('replace'),
      remove: (name) => {
        ports.orders.push(`remove ${name}`);
        return Promise.resolve(outcome);
      },
    },
    ...parts,
  };
};
