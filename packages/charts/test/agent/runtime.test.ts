import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseManifestObjects } from '../../src/render.ts';
import { agentsOf, type Agent } from './agent-chart.ts';
import { agentProblems } from './agent-problems.ts';

const GOLDEN = join(import.meta.dirname, '../golden/agent');

const golden = async (name: string): Promise<Agent> => {
  const [agent] = parseManifestObjects(await readFile(join(GOLDEN, `${name}.yaml`), 'utf8'));
  return agent as Agent;
};

describe('the rendered Agent', () => {
  it.each(['default', 'toolset', 'chat-only', 'everything'])('%s', async (name) => {
    expect(agentProblems(await golden(name))).toEqual([]);
  });

  it('with runtime fields in extraAgentSpec', async () => {
    const values = [
      {
        extraAgentSpec: {
          documentationUrl: 'https://docs.example',
          allowedNamespaces: { from: 'All' },
          declarative: {
            systemMessage: null,
            systemMessageFrom: { type: 'ConfigMap', name: 'prompts', key: 'helper' },
            deployment: { serviceAccountName: 'agents', volumes: [{ name: 'tmp', emptyDir: {} }] },
          },
        },
      },
      { extraAgentSpec: { type: 'BYO', byo: { deployment: { image: 'x' } }, declarative: null } },
      { extraTools: Array.from({ length: 19 }, () => ({ type: 'Agent', agent: { name: 'a' } })) },
    ];
    expect((await agentsOf(values)).flatMap(agentProblems)).toEqual([]);
  });
});

describe('the versions of the runtime', () => {
  const page = new URL('../../../../docs/charts/agent.md', import.meta.url);

  it('are from 0.8.0 on, which has the field runtime of every Agent', async () => {
    const agents = await Promise.all(['default', 'chat-only', 'everything'].map(golden));
    for (const { spec } of agents) expect(spec.declarative).toHaveProperty('runtime');
    expect(await readFile(page, 'utf8')).toContain('kagent from version 0.8.0 on');
  });

  it('before 0.10.0 have no iconUrl, which an Agent has only when the value is set', async () => {
    expect((await golden('default')).spec).not.toHaveProperty('iconUrl');
    expect((await golden('everything')).spec).toHaveProperty('iconUrl');
    expect(await readFile(page, 'utf8')).toContain('`agent.iconUrl` before 0.10.0');
  });
});
