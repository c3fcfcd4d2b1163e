import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { valuesOfCase } from '../harness/render-cases.ts';
import { agentsOf } from './agent-chart.ts';

const page = new URL('../../../../docs/charts/agent.md', import.meta.url);

it('The rendered Agent is valid with runtime fields in extraAgentSpec.', async () => {
  const deployment = {
    serviceAccountName: 'agents',
    volumes: [{ name: 'tmp', emptyDir: {} }],
  };
  const systemMessageFrom = { type: 'ConfigMap', name: 'prompts', key: 'helper' };
  const agents = await agentsOf([
    {
      extraAgentSpec: {
        documentationUrl: 'https://docs.example',
        allowedNamespaces: { from: 'All' },
        declarative: { systemMessage: null, systemMessageFrom, deployment },
      },
    },
    { extraAgentSpec: { type: 'BYO', byo: { deployment: { image: 'x' } }, declarative: null } },
    { extraTools: Array.from({ length: 19 }, () => ({ type: 'Agent', agent: { name: 'a' } })) },
  ]);
  expect(agents.flatMap((agent) => kubernetesProblems([agent]))).toEqual([]);
});

it('Versions of the runtime from 0.8.0 on have the field runtime; those before 0.10.0 have no iconUrl, which is set only by its value.', async () => {
  const cases = ['default', 'chat-only', 'everything'].map((name) => valuesOfCase('agent', name));
  const agents = await agentsOf(cases);
  for (const { spec } of agents) expect(spec.declarative).toHaveProperty('runtime');
  expect(agents.map(({ spec }) => Object.hasOwn(spec, 'iconUrl'))).toEqual([false, false, true]);
  const text = await readFile(page, 'utf8');
  expect(text).toContain('kagent from version 0.8.0 on');
  expect(text).toContain('`agent.iconUrl` before 0.10.0');
});
