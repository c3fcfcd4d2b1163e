import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentManifests } from '@gateway/agent-manager-client';
import { createAgentChart } from '@gateway/agent-releases';
import { beforeAll, describe, expect, it } from 'vitest';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { helmReads } from '../harness/helm-reads.ts';
import { agentsOf, type Agent } from './agent-chart.ts';
import { DRAFT_CASES } from './agent-drafts.ts';
import { composed, tried } from './composed-agents.ts';

const VECTORS = join(import.meta.dirname, '../../../toolset-grammar/vectors/selectors.json');

interface Vector {
  readonly id: string;
  readonly accepted?: { readonly selectors: readonly { readonly text: string }[] };
}

const { vectors } = JSON.parse(await readFile(VECTORS, 'utf8')) as {
  readonly vectors: readonly Vector[];
};
const accepted = vectors.flatMap(({ id, accepted: toolset }) =>
  toolset === undefined ? [] : [{ id, toolset: toolset.selectors.map(({ text }) => text) }],
);
const chart = createAgentChart({
  ociUrl: 'oci://registry.gateway.internal/charts/agent',
  semver: 'x.x.x',
});

/** The composed values, the values that Helm reads, and the rendered Agent. */
const rendered = async (drafts: readonly Parameters<typeof composed>[1][]) => {
  const manifests = await Promise.all(drafts.map((draft) => composed(chart, draft)));
  const read = await helmReads(manifests.map(({ helmRelease }) => helmRelease));
  const values = read.map((release) => (release as { spec: { values: unknown } }).spec.values);
  return { manifests, values, agents: await agentsOf(values) };
};

/** A value by its path; `~` stands for a dot inside of a key. */
const at = (agent: Agent, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key.replaceAll('~', '.')],
      agent,
    );

const headersOf = (agent: Agent | undefined) =>
  agent?.spec.declarative.tools?.map(({ headersFrom }) => headersFrom);

describe('every toolset that the grammar accepts', () => {
  let made: Awaited<ReturnType<typeof rendered>>;
  beforeAll(async () => {
    made = await rendered(accepted.map(({ toolset }) => ({ toolset })));
  });

  it('is written unchanged and read unchanged by Helm', () => {
    expect(accepted.length).toBeGreaterThan(60);
    const toolsets = accepted.map(({ toolset }) => toolset);
    expect(made.manifests.map(({ values }) => values['toolset'])).toEqual(toolsets);
    expect(made.values).toEqual(made.manifests.map(({ values }) => values));
  });

  it('is the header of the rendered Agent, and preset:none alone an agent without the gateway', () => {
    const headers = accepted.map(({ toolset }) =>
      toolset.join() === 'preset:none'
        ? undefined
        : [[{ name: 'X-Gateway-Toolset', value: toolset.join(',') }]],
    );
    expect(made.agents.map(headersOf)).toEqual(headers);
    expect(headers.filter((header) => header === undefined).length).toBeGreaterThan(0);
  });
});

describe('every field of an agent', () => {
  const toolset = ['preset:read-only'];
  let made: Awaited<ReturnType<typeof rendered>>;
  beforeAll(async () => {
    made = await rendered(DRAFT_CASES.map(({ draft }) => ({ ...draft, toolset })));
  });

  it('is read by Helm unchanged', () => {
    expect(made.values).toEqual(made.manifests.map(({ values }) => values));
  });

  it.each(DRAFT_CASES.map(({ title, rendered: expected }, index) => ({ title, expected, index })))(
    'stands in the rendered Agent: $title',
    ({ expected, index }) => {
      const agent = made.agents[index];
      if (agent === undefined) throw new Error('not rendered');
      const found = Object.keys(expected).map((path) => [path, at(agent, path)]);
      expect(found).toEqual(Object.entries(expected));
      expect(kubernetesProblems([agent])).toEqual([]);
    },
  );
});

describe('the objects that agent-manager writes', () => {
  it('are valid for Flux', async () => {
    const { ociRepository, helmRelease }: AgentManifests = await composed(chart, {
      toolset: ['preset:none'],
    });
    const objects = await helmReads([ociRepository, helmRelease]);
    expect(objects).toMatchObject([{ kind: 'OCIRepository' }, { kind: 'HelmRelease' }]);
    expect(kubernetesProblems(objects as Parameters<typeof kubernetesProblems>[0])).toEqual([]);
  });

  it.each([
    [
      { description: 'a\u007fb' },
      '(root): must not have the character U+007F, which Helm cannot read',
    ],
    [{ runtime: 'java' }, '/agent/runtime: must be one of go, python'],
  ])('are not displayed for refused values: %j', async (draft, problem) => {
    expect(await tried(chart, { toolset: ['preset:none'], ...draft })).toMatchObject({
      valid: false,
      errors: [`values do not satisfy the agent chart schema 0.6.0 (embedded): ${problem}`],
    });
  });
});
