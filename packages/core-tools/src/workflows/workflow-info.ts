import type { JsonObject } from '@gateway/call-contract';
import { workflowDocument } from '@gateway/crd-schemas';
import type { CoreCallContext, CoreToolPorts, WorkflowView } from '../ports.ts';
import { timeText } from '../time-text.ts';

/** Whether the workflow can run for this caller, and what it lacks: a broken one never can. */
export const availability = (
  { name, status }: WorkflowView,
  ports: CoreToolPorts,
  context: CoreCallContext,
): { readonly available: boolean; readonly missing?: readonly string[] } => {
  if (!status.valid) return { available: false };
  const { available, missing } = ports.workflowAvailability(name, context);
  return { available, ...(missing.length > 0 && { missing }) };
};

/** One workflow in a list. What is broken says so. */
export const workflowListEntry = (
  view: WorkflowView,
  ports: CoreToolPorts,
  context: CoreCallContext,
): JsonObject => ({
  name: view.name,
  available: availability(view, ports, context).available,
  ...(view.description !== '' && { description: view.description }),
  ...(!view.status.valid && { valid: false }),
});

/** A time that is not known is left out. */
const times = ({ createdAt, modifiedAt }: WorkflowView): JsonObject => ({
  ...(createdAt > 0 && { createdAt: timeText(createdAt) }),
  ...(modifiedAt > 0 && { lastModified: timeText(modifiedAt) }),
});

/** One workflow with its definition, as far as it is valid, and its status. @spec §2.7 */
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
