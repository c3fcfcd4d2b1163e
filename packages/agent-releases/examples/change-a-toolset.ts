import { openReleaseDirectory, type AgentStore } from '@gateway/agent-releases';

/** Opens a store of the agents in the namespace `default`, as files in a directory. */
export const openAgents = async (directory: string): Promise<AgentStore> => {
  const opened = await openReleaseDirectory({
    directory,
    namespaces: ['default'],
    onWarning: console.error,
  });
  if (!opened.ok) throw new Error(opened.problem);
  return opened.store;
};

/** Sets the toolset of an agent. The result is a conflict when another client changed the agent meanwhile. */
export const setToolset = async (
  store: AgentStore,
  name: { readonly namespace: string; readonly name: string },
  toolset: readonly string[],
): Promise<string> => {
  const read = await store.getRelease(name);
  if (!read.ok) return read.error.message;
  if (read.value === undefined) return 'there is no such agent';
  const { object, revision } = read.value;
  const values = { ...(object.spec?.['values'] as object), toolset };
  const next = { ...object, spec: { ...object.spec, values } };
  const written = await store.replaceRelease(next, revision);
  return written.ok ? 'done' : written.error.message;
};
