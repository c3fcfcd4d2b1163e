import {
  type CatalogTool,
  type CoreToolEntry,
  readToolHints,
  formatToolSummary,
  type ToolAnnotations,
  type WorkflowToolEntry,
} from './catalog-tool.ts';
import { formatWorkflowToolName } from './exposed-name.ts';

const READ_ONLY: ToolAnnotations = { readOnlyHint: true };

/** Returns the declared hints with the derived read-only hint, which is `true` or absent. */
function workflowHints(
  { annotations, referencedTools }: WorkflowToolEntry,
  isReadOnly: boolean,
): ToolAnnotations | undefined {
  if (referencedTools === undefined) return readToolHints(annotations);
  const { readOnlyHint: _declared, ...others } = annotations ?? {};
  return readToolHints(isReadOnly ? { ...others, ...READ_ONLY } : others);
}

/**
 * Creates the entry of a workflow's execution tool, without its position in the catalog.
 *
 * @param isReadOnly whether every tool that the workflow references is read-only
 * @spec §1.3, §1.4, §2.5
 */
export function createWorkflowTool(workflow: WorkflowToolEntry, isReadOnly: boolean): CatalogTool {
  const { name, description, inputSchema, labels, requiredTools } = workflow;
  const annotations = workflowHints(workflow, isReadOnly);
  return {
    name: formatWorkflowToolName(name),
    kind: 'workflow',
    position: -1,
    description,
    summary: formatToolSummary(description),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
    ...(labels !== undefined && { labels }),
    providers: [],
    ...(requiredTools !== undefined && { requiredTools }),
  };
}

/** The entry of one of the gateway's own tools; the place in the catalog is given later. @spec §1.3 */
export function createCoreTool(core: CoreToolEntry): CatalogTool {
  const { name, description, inputSchema } = core;
  const annotations = readToolHints(core.annotations);
  return {
    name,
    kind: 'core',
    position: -1,
    description,
    summary: formatToolSummary(description),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
    providers: [],
  };
}

/** A workflow and what its answer still waits for. */
interface Waiting {
  readonly entry: WorkflowToolEntry;
  /** References that are not known to be read-only yet. */
  open: number;
  /** The workflows that wait for this one, once for each reference. */
  readonly callers: Waiting[];
}

/** Returns one workflow per exposed name: the first is served. */
function waitingOf(workflows: readonly WorkflowToolEntry[]): ReadonlyMap<string, Waiting> {
  const byTool = new Map<string, Waiting>();
  for (const entry of workflows) {
    const tool = formatWorkflowToolName(entry.name);
    if (!byTool.has(tool)) byTool.set(tool, { entry, open: 0, callers: [] });
  }
  return byTool;
}

/** Counts the references that are not known to be read-only: nested workflows can become so, other tools cannot. */
function openReferences(
  workflow: Waiting,
  byTool: ReadonlyMap<string, Waiting>,
  isReadOnly: (tool: string) => boolean,
): number {
  const { referencedTools, annotations } = workflow.entry;
  if (referencedTools === undefined) return annotations?.readOnlyHint === true ? 0 : 1;
  let open = 0;
  for (const tool of referencedTools) {
    const nested = byTool.get(tool);
    if (nested !== undefined) nested.callers.push(workflow);
    if (nested !== undefined || !isReadOnly(tool)) open += 1;
  }
  return open;
}

/**
 * Returns the workflows whose references are all read-only. Annotations decide for a workflow whose references are not listed.
 *
 * A workflow is added when all of its references are known to be read-only. A workflow that references itself, an unknown tool or a
 * writing tool is never added. The algorithm is iterative, so that the depth of nesting is not limited by the stack.
 *
 * @param isReadOnly returns whether a tool that is not a workflow is annotated read-only
 * @spec §2.5
 */
export function readOnlyWorkflows(
  workflows: readonly WorkflowToolEntry[],
  isReadOnly: (tool: string) => boolean,
): ReadonlySet<WorkflowToolEntry> {
  const byTool = waitingOf(workflows);
  const shown: Waiting[] = [];
  for (const workflow of byTool.values()) {
    workflow.open = openReferences(workflow, byTool, isReadOnly);
    if (workflow.open === 0) shown.push(workflow);
  }
  // The list grows while it is walked.
  for (const { callers } of shown) {
    for (const caller of callers) {
      caller.open -= 1;
      if (caller.open === 0) shown.push(caller);
    }
  }
  return new Set(shown.map(({ entry }) => entry));
}
