import { createCoreTools, type CoreToolPorts } from '@gateway/core-tools';

/** Checks a workflow of one step, creates it when it is right, and gives the answers. */
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
