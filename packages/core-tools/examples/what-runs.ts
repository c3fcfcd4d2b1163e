import { createCoreTools, type CoreToolPorts } from '@gateway/core-tools';

/** What `core_service_status` answers about a server, as text. */
export const whatRuns = async (ports: CoreToolPorts, name: string): Promise<string> => {
  const coreTools = createCoreTools(ports);
  const outcome = await coreTools.call('core_service_status', { name });
  return outcome.ok ? JSON.stringify(outcome.result['content']) : outcome.text;
};
