import { createCoreTools, type CoreToolPorts } from '@gateway/core-tools';

/** Validates a workflow with one step, creates it when it is valid, and returns the results. */
export const addWorkflow = async (
  ports: CoreToolPorts,
  tool: string,
): Promise<readonly string[]> => {
  const coreTools = createCoreTools(ports);
  const definition = { name: 'read-one', steps: [{ id: 'read', tool }] };
  const checked = await coreTools.call('core_workflow_validate', definition);
  if (!checked.ok || checked.result['isError'] === true) return [JSON.stringify(checked)];
  const created = await coreTools.call('core_workflow_create', definition);
  return [JSON.stringify(checked), JSON.stringify(created)];
};
