import type { ToolAnnotations } from './annotations.ts';
import type { CatalogTool, CoreToolEntry, WorkflowToolEntry } from './catalog-tool.ts';
import { workflowToolName } from './exposed-name.ts';
import { hintsOf } from './hints.ts';
import { summaryOf } from './tool-summary.ts';

const READ_ONLY: ToolAnnotations = { readOnlyHint: true };

/** Returns the declared hints with the derived read-only hint, which is `true` or absent. */
function workflowHints(
  { annotations, referencedTools }: WorkflowToolEntry,
  isReadOnly: boolean,
): ToolAnnotations | undefined {
  if (referencedTools === undefined) return hintsOf(annotations);
  const { readOnlyHint: _declared, ...others } = annotations ?? {};
  return hintsOf(isReadOnly ? { ...others, ...READ_ONLY } : others);
}

/**
 * Creates the entry of a workflow's execution tool, without its position in the catalog.
 *
 * @param isReadOnly whether every tool that the workflow references is read-only
 * @spec §1.3, §1.4, §2.5
 */
export function workflowTool(workflow: WorkflowToolEntry, isReadOnly: boolean): CatalogTool {
  const { name, description, inputSchema, labels, requiredTools } = workflow;
  const annotations = workflowHints(workflow, isReadOnly);
  return {
    name: workflowToolName(name),
    kind: 'workflow',
    position: -1,
    description,
    summary: summaryOf(description),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
    ...(labels !== undefined && { labels }),
    providers: [],
    ...(requiredTools !== undefined && { requiredTools }),
  };
}

/** The entry of one of the gateway's own tools; the place in the catalog is given later. @spec §1.3 */
export function coreTool(core: CoreToolEntry): CatalogTool {
  const { name, description, inputSchema } = core;
  const annotations = hintsOf(core.annotations);
  return {
    name,
    kind: 'core',
    position: -1,
    description,
    summary: summaryOf(description),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
    providers: [],
  };
}
