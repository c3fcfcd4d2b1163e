import { createResourceKey, type ResourceStore } from '@gateway/resource-store';

/** Sets an environment variable of a server. Everything else stays unchanged. */
export const setVariable = async (
  { servers }: ResourceStore,
  server: string,
  [name, value]: readonly [string, string],
): Promise<string> => {
  const result = await servers.patch(createResourceKey(server), { env: { [name]: value } });
  if (result.kind === 'invalid') return result.issues.join('; ');
  return result.kind === 'failed' ? result.text : result.kind;
};
