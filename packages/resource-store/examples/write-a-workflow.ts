import type { Workflow } from '@gateway/crd-schemas';
import type { GatewayStore } from '@gateway/resource-store';

/** Creates a workflow, or replaces the one of this name. Afterwards the store's current state shows it. */
export const save = async ({ workflows }: GatewayStore, workflow: Workflow): Promise<string> => {
  const created = await workflows.create(workflow);
  const result = created.kind === 'exists' ? await workflows.replace(workflow) : created;
  return result.kind === 'failed' ? result.text : result.kind;
};
