import type { WorkflowToolEntry } from './catalog-tool.ts';
import { workflowToolName } from './exposed-name.ts';

/** A workflow and what its answer still waits for. */
interface Waiting {
  readonly entry: WorkflowToolEntry;
  /** References that nobody has shown to be read-only yet. */
  open: number;
  /** The workflows that wait for this one, once for each reference. */
  readonly callers: Waiting[];
}

/** One for each exposed name: the first of a name is the one that is served. */
function waitingOf(workflows: readonly WorkflowToolEntry[]): ReadonlyMap<string, Waiting> {
  const byTool = new Map<string, Waiting>();
  for (const entry of workflows) {
    const tool = workflowToolName(entry.name);
    if (!byTool.has(tool)) byTool.set(tool, { entry, open: 0, callers: [] });
  }
  return byTool;
}

/** Counts what has to be shown: a nested workflow may still be, a tool that is not read-only never is. */
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
 * The workflows of which every reference is read-only. One whose references are not listed is what its annotations say.
 *
 * A workflow is added once all that it references is shown to be read-only, and that is all: what waits for itself, or for something
 * unknown or writing, is never added. No recursion, so that a chain may be as long as it likes.
 *
 * @param isReadOnly whether the name is that of a tool that is annotated read-only; workflows are not asked for
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
