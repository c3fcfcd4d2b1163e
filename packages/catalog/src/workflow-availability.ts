import type { CatalogTool } from './catalog-tool.ts';
import { formatWorkflowToolName } from './exposed-name.ts';
import { groupBy } from './group-by.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import type { GatewayEvent } from '@gateway/events';

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
function workflowAvailabilities(
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
export function findWorkflowAvailability(
  snapshot: CatalogSnapshot,
  workflow: string,
): WorkflowAvailability {
  const tool = formatWorkflowToolName(workflow);
  return workflowAvailabilities(snapshot).get(tool) ?? { available: false, missing: [tool] };
}

type Availabilities = ReadonlyMap<string, WorkflowAvailability>;

const NONE: Availabilities = new Map();

const PREFIX_CHARS = formatWorkflowToolName('').length;

/** Fewer missing tools than before are no news: the workflow is as unavailable as it was. */
function lacksMore(before: WorkflowAvailability, after: WorkflowAvailability): boolean {
  const known = new Set(before.missing);
  return after.missing.some((tool) => !known.has(tool));
}

function availabilityChange(
  name: string,
  before: WorkflowAvailability,
  after: WorkflowAvailability,
): readonly GatewayEvent[] {
  const { missing } = after;
  if (!after.available) {
    return lacksMore(before, after) ? [{ reason: 'WorkflowUnavailable', name, missing }] : [];
  }
  return before.available ? [] : [{ reason: 'WorkflowCapabilitiesRefreshed', name }];
}

function eventsOf(before: Availabilities, after: Availabilities): readonly GatewayEvent[] {
  return [...after].flatMap(([tool, availability]) => {
    const known = before.get(tool);
    const name = tool.slice(PREFIX_CHARS);
    const change = availabilityChange(name, known ?? AVAILABLE, availability);
    return known === undefined ? [{ reason: 'WorkflowToolRegistered', name }, ...change] : change;
  });
}

/**
 * Returns the events of workflows between two catalogs: registered tools, workflows that became unavailable or available. Without
 * `before`, after the first attempt to start each server, only unavailable workflows. @spec §2.7
 */
export function listWorkflowEvents(
  before: CatalogSnapshot | undefined,
  after: CatalogSnapshot,
): readonly GatewayEvent[] {
  if (before === after) return [];
  const now = workflowAvailabilities(after);
  if (before !== undefined) return eventsOf(workflowAvailabilities(before), now);
  return eventsOf(NONE, now).filter(({ reason }) => reason === 'WorkflowUnavailable');
}
