import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAgentManagerClient } from '@gateway/agent-manager-client';
import { stringify } from 'yaml';

const MODEL = 'claude';

const AGENTS: readonly (readonly [
  name: string,
  toolset: readonly string[],
  displayName: string,
])[] = [
  ['notes', ['preset:notes', 'workflow:remember'], 'Notes'],
  ['nothing', ['preset:none'], 'No tools'],
  ['everything', ['preset:full'], 'Everything'],
  ['hostile', ['server:hostile', 'server:not-here'], '<b>Hostile</b> \u202Eelitsoh 👩‍👩‍👧‍👦'],
];

/** Creates agents with different toolsets. Rejects with the refusal of agent-manager. */
export const createSampleAgents = async (baseUrl: string): Promise<void> => {
  const client = createAgentManagerClient({ baseUrl });
  for (const [name, toolset, displayName] of AGENTS) {
    const answer = await client.createAgent({
      namespace: 'default',
      name,
      displayName,
      description: `Agent ${name}`,
      modelConfig: MODEL,
      systemMessage: 'You are an agent of a test.',
      toolset: [...toolset],
    });
    if (!answer.ok) throw new Error(answer.error.message);
  }
};

/** Writes a model configuration into the directory of agent-manager. */
export const writeModelConfig = async (store: string): Promise<void> => {
  const folder = join(store, 'modelconfigs');
  await mkdir(folder, { recursive: true });
  const model = {
    apiVersion: 'kagent.dev/v1alpha2',
    kind: 'ModelConfig',
    metadata: { name: MODEL, namespace: 'default' },
    spec: { provider: 'Anthropic', model: 'claude-sonnet-4-5' },
  };
  await writeFile(join(folder, `${MODEL}.yaml`), stringify(model));
};
