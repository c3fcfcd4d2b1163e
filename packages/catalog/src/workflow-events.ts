import type { GatewayEvent } from '@gateway/events';
import { workflowToolName } from './exposed-name.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import { workflowAvailabilities, type WorkflowAvailability } from './workflow-availability.ts';

type Availabilities = ReadonlyMap<string, WorkflowAvailability>;

const NONE: Availabilities = new Map();
const AVAILABLE: WorkflowAvailability = { available: true, missing: [] };

const PREFIX_CHARS = workflowToolName('').length;

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
export function workflowEvents(
  before: CatalogSnapshot | undefined,
  after: CatalogSnapshot,
): readonly GatewayEvent[] {
  if (before === after) return [];
  const now = workflowAvailabilities(after);
  if (before !== undefined) return eventsOf(workflowAvailabilities(before), now);
  return eventsOf(NONE, now).filter(({ reason }) => reason === 'WorkflowUnavailable');
}
