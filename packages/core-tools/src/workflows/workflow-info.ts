import type { JsonObject } from '@gateway/call-contract';
import { workflowDocument } from '@gateway/crd-schemas';
import type { CoreCallContext, CoreToolPorts, WorkflowView } from '../tool/ports.ts';
import { timeText } from '../tool/time-text.ts';

/** Returns the availability of a workflow for this caller; an invalid workflow is never available. */
export const availability = (
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
export const workflowListEntry = (
  view: WorkflowView,
  ports: CoreToolPorts,
  context: CoreCallContext,
): JsonObject => {
  const { available, missing = [] } = availability(view, ports, context);
  return {
    name: view.name,
    available,
    ...(missing.length > 0 && { missing: missing.slice(0, MAX_MISSING) }),
    ...(view.description !== '' && { description: view.description }),
    ...(!view.status.valid && { valid: false }),
  };
};

/** An unknown time is omitted. */
const times = ({ createdAt, modifiedAt }: WorkflowView): JsonObject => ({
  ...(createdAt > 0 && { createdAt: timeText(createdAt) }),
  ...(modifiedAt > 0 && { lastModified: timeText(modifiedAt) }),
});

/** Returns one workflow with its valid definition and its status. @spec §2.7 */
export const workflowInfo = (
  view: WorkflowView,
  ports: CoreToolPorts,
  context: CoreCallContext,
): JsonObject => ({
  name: view.name,
  description: view.description,
  ...(Object.keys(view.labels).length > 0 && { labels: view.labels }),
  ...(view.workflow !== undefined && workflowDocument(view.workflow).spec),
  ...availability(view, ports, context),
  status: view.status,
  ...times(view),
});
