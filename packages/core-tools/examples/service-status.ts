import { createCoreTools, type CoreToolPorts } from '@gateway/core-tools';

/** Returns the result of `core_service_status` for a server, as text. */
export const serviceStatus = async (ports: CoreToolPorts, name: string): Promise<string> => {
  const coreTools = createCoreTools(ports);
  const outcome = await coreTools.call('core_service_status', { name });
  return outcome.ok ? JSON.stringify(outcome.result['content']) : outcome.text;
};
