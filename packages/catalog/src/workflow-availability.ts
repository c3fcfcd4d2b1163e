import type { CatalogTool } from './catalog-tool.ts';
import { workflowToolName } from './exposed-name.ts';
import { groupBy } from './group-by.ts';
import type { CatalogSnapshot } from './snapshot.ts';

/** The availability of a workflow in a catalog. */
export interface WorkflowAvailability {
  readonly available: boolean;
  /**
   * The required tools that the catalog does not have, and the nested workflows that are not available themselves, by exposed name,
   * in the order of the workflow's list. For a workflow that does not exist, its own tool.
   */
  readonly missing: readonly string[];
}

const AVAILABLE: WorkflowAvailability = { available: true, missing: [] };

/** The gateway's own tools are always there. */
const isThere = (snapshot: CatalogSnapshot, tool: string): boolean =>
  tool.startsWith('core_') || snapshot.tool(tool) !== undefined;

const requiredBy = ({ requiredTools = [] }: CatalogTool): readonly string[] => requiredTools;

/** The exposed names of the workflows that lack a tool, or need one that does. */
function unavailableWorkflows(
  snapshot: CatalogSnapshot,
  workflows: readonly CatalogTool[],
): ReadonlySet<string> {
  const callersOf = groupBy(workflows, requiredBy);
  const lacking = workflows.filter((one) =>
    requiredBy(one).some((tool) => !isThere(snapshot, tool)),
  );
  const unavailable = new Set(lacking.map(({ name }) => name));
  // The set grows while it is walked. A cycle in itself takes nothing away.
  for (const name of unavailable) {
    for (const caller of callersOf.get(name) ?? []) unavailable.add(caller.name);
  }
  return unavailable;
}

function availabilities(snapshot: CatalogSnapshot): ReadonlyMap<string, WorkflowAvailability> {
  const workflows = snapshot.tools.filter(({ kind }) => kind === 'workflow');
  const unavailable = unavailableWorkflows(snapshot, workflows);
  const availabilityOf = (workflow: CatalogTool): WorkflowAvailability =>
    unavailable.has(workflow.name)
      ? {
          available: false,
          missing: requiredBy(workflow).filter(
            (tool) => unavailable.has(tool) || !isThere(snapshot, tool),
          ),
        }
      : AVAILABLE;
  return new Map(workflows.map((workflow) => [workflow.name, availabilityOf(workflow)]));
}

const known = new WeakMap<CatalogSnapshot, ReadonlyMap<string, WorkflowAvailability>>();

/** The availability of every workflow, by the exposed name of its tool. Found out once for each snapshot. */
export function workflowAvailabilities(
  snapshot: CatalogSnapshot,
): ReadonlyMap<string, WorkflowAvailability> {
  const all = known.get(snapshot) ?? availabilities(snapshot);
  known.set(snapshot, all);
  return all;
}

/**
 * Returns whether every tool that the steps, sub-steps and handlers of a workflow require is in the catalog, including those of
 * nested workflows. Computed for all workflows at the first request and cached with the snapshot.
 *
 * @param workflow the workflow's own name
 * @spec §2.7 status.referencedTools
 */
export function workflowAvailability(
  snapshot: CatalogSnapshot,
  workflow: string,
): WorkflowAvailability {
  const tool = workflowToolName(workflow);
  return workflowAvailabilities(snapshot).get(tool) ?? { available: false, missing: [tool] };
}
