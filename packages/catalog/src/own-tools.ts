import type { CatalogTool, CoreToolEntry, WorkflowToolEntry } from './catalog-tool.ts';
import { workflowToolName } from './exposed-name.ts';
import { hintsOf } from './hints.ts';
import { summaryOf } from './tool-summary.ts';

/** The entry of a workflow's execution tool; the place in the catalog is given later. @spec §1.3, §1.4 */
export function workflowTool(workflow: WorkflowToolEntry): CatalogTool {
  const { name, description, inputSchema, labels } = workflow;
  const annotations = hintsOf(workflow.annotations);
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
