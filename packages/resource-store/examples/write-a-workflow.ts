import type { Workflow } from '@gateway/crd-schemas';
import type { ResourceStore } from '@gateway/resource-store';

/** Creates a workflow, or replaces the existing one. When it is done, the current state shows it. */
export const save = async ({ workflows }: ResourceStore, workflow: Workflow): Promise<string> => {
  const created = await workflows.create(workflow);
  const result = created.kind === 'exists' ? await workflows.replace(workflow) : created;
  return result.kind === 'failed' ? result.text : result.kind;
};
