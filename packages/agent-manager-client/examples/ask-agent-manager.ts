import { createAgentManagerClient, isRefusal } from '@gateway/agent-manager-client';

/** Gives an agent a toolset, and tells what became of it. */
export const narrow = async (baseUrl: string, name: string): Promise<string> => {
  const client = createAgentManagerClient({ baseUrl });
  const answer = await client.updateAgent({
    namespace: 'default',
    name,
    toolset: ['preset:read-only'],
  });
  if (answer.ok) return `changed: ${answer.value.changed.join(', ')}`;
  return `${isRefusal(answer.error) ? 'refused' : 'no answer'} (${answer.error.code}): ${answer.error.message}`;
};
