import type { OperationDraft, UpdateResult } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import type { AgentStore } from '../../src/index.ts';
import type { HelmRelease, Json } from '../../src/store/agent-store.ts';
import { requirement } from '../requirement.ts';
import { memoryStore } from '../support/memory-store.ts';
import { AGENT_CHART, createService, object, refusal } from '../support/service-parts.ts';

const VALUES: Json = {
  muster: { serverRef: { name: 'other' } },
  agent: { name: 'sre', description: 'helps' },
  modelConfig: { name: 'small' },
  toolset: ['preset:read-only'],
};

const release = (values: Json, parts: Json = {}): HelmRelease => {
  const spec = { chartRef: AGENT_CHART, timeout: '5m', values, ...parts };
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  return { ...object('HelmRelease', 'sre', spec, { annotations: { own: 'x' } }), status };
};

const setUp = (
  values: Json = VALUES,
  parts: Json = {},
  { takesAnyModel = true, ...over }: Partial<AgentStore> & { takesAnyModel?: boolean } = {},
) => {
  const store = memoryStore({ objects: [release(values, parts)], takesAnyModel });
  const service = createService({ store: { ...store, ...over } });
  const tryUpdate = (draft: OperationDraft<'update_agent'>) =>
    service.update_agent({ name: 'sre', ...draft });
  const update = async (draft: OperationDraft<'update_agent'>): Promise<UpdateResult> => {
    const answer = await tryUpdate(draft);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  return { store, service, tryUpdate, update };
};

const SCHEMA = 'invalid request: values do not satisfy the agent chart schema 0.6.0 (embedded):';

describe('update_agent', () => {
  it('changes the given values, and shows the values before and after and the changed paths', async () => {
    const { update, store } = setUp();
    const agent = { name: 'sre', displayName: 'SRE' };
    const after = { ...VALUES, agent, modelConfig: { name: 'large' } };
    const change = { description: '', displayName: 'SRE', modelConfig: 'large' };
    expect(await update(change)).toMatchObject({
      agent: { displayName: 'SRE', modelConfig: 'large', values: after },
      before: VALUES,
      after,
      changed: ['agent.description', 'agent.displayName', 'modelConfig.name'],
      manifests: { values: after },
    });
    expect(store.contents()[0]).toEqual(release(after));
  });

  it('shows the release without its status, in the order in which it was written', async () => {
    const { manifests } = await setUp().update({ description: 'new' });
    expect(manifests.helmRelease).toBe(`apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: sre
  namespace: default
  annotations:
    own: x
spec:
  chartRef:
    kind: OCIRepository
    name: agent
  timeout: 5m
  values:
    muster:
      serverRef:
        name: other
    agent:
      name: sre
      description: new
    modelConfig:
      name: small
    toolset:
      - preset:read-only
`);
  });

  it('shows the source that the release names', async () => {
    const { store, update } = setUp(VALUES, { chartRef: { ...AGENT_CHART, name: 'mirror' } });
    const spec = { url: 'oci://registry.gateway.internal/charts/agent' };
    await store.createSource(object('OCIRepository', 'mirror', spec));
    expect((await update({})).manifests.ociRepository).toContain('name: mirror\n');
  });

  it.each([
    { description: 'helps', toolset: ['preset:read-only'], displayName: '', labels: {} },
    {},
  ])('writes nothing where nothing differs: %j', async (same) => {
    const { store, update } = setUp();
    const [before] = store.contents();
    expect(await update(same)).toMatchObject({ before: VALUES, after: VALUES, changed: [] });
    expect(store.contents()[0]).toBe(before);
  });

  it('replaces skills, labels and annotations whole, and takes empty ones away', async () => {
    const labels = { a: '1', 'b.c/d': '2' };
    const blocks = { labels, annotations: { e: '3' }, skills: { refs: ['x'] } };
    const { update } = setUp({ ...VALUES, ...blocks });
    const change = { labels: { a: '1' }, annotations: {}, skills: { gitAuthSecretName: 's' } };
    expect(await update(change)).toMatchObject({
      after: { ...VALUES, labels: { a: '1' }, skills: { gitAuthSecretRef: { name: 's' } } },
      changed: ['annotations.e', 'labels["b.c/d"]', 'skills.gitAuthSecretRef.name', 'skills.refs'],
    });
  });

  it('is not blocked by invalid values that other clients wrote', async () => {
    const others = { ...VALUES, futureValue: 1, agent: { name: 'sre', runtime: 'rust' } };
    const { update, tryUpdate } = setUp(others);
    expect(await update({ description: 'new' })).toMatchObject({ changed: ['agent.description'] });
    const problem = `${SCHEMA} /agent/runtime: must be one of go, python`;
    expect(await tryUpdate({ runtime: 'java' })).toMatchObject(refusal(problem));
    expect(await update({ runtime: 'go' })).toMatchObject({ changed: ['agent.runtime'] });
  });

  it('refuses values that are nested too deep, from any client', async () => {
    const extraAgentSpec = Array.from({ length: 10_000 }).reduce<unknown>((a) => ({ a }), 1);
    const value = { object: release({ extraAgentSpec }), revision: '1' };
    const getRelease = () => Promise.resolve({ ok: true, value } as const);
    const { tryUpdate } = setUp(VALUES, {}, { getRelease });
    expect(await tryUpdate({ description: 'x' })).toMatchObject(
      refusal(`${SCHEMA} (root): must be nested at most 64 levels`),
    );
  });

  it('asks for a model only where it changes', async () => {
    const { tryUpdate } = setUp(VALUES, {}, { takesAnyModel: false });
    for (const modelConfig of ['small', ''])
      expect(await tryUpdate({ modelConfig })).toMatchObject({ ok: true });
    expect(await tryUpdate({ modelConfig: 'nope' })).toMatchObject(
      refusal(
        'invalid request: modelConfig "nope" does not exist in namespace default (no ModelConfigs there; a platform admin provisions them)',
      ),
    );
  });

  it('returns the conflict with a concurrent change, and does not retry', async () => {
    let writes = 0;
    const conflict = {
      ok: false,
      error: { code: 'conflict', message: 'conflict: changed' },
    } as const;
    const replaceRelease = () => {
      writes += 1;
      return Promise.resolve(conflict);
    };
    const { tryUpdate } = setUp(VALUES, {}, { replaceRelease });
    expect(await tryUpdate({ description: 'x' })).toEqual(conflict);
    expect(writes).toBe(1);
  });

  it('writes with force a release that is suspended or comes from Git', async () => {
    const { tryUpdate, update } = setUp(VALUES, { suspend: true });
    expect(await tryUpdate({ description: 'x' })).toMatchObject({ error: { code: 'conflict' } });
    const { changed } = await update({ description: 'x', force: true });
    expect(changed).toEqual(['agent.description']);
  });
});

requirement('4.4/update-replaces', () => {
  it('takes the new list for the old one, whole', async () => {
    const toolset = ['tool:a', 'tool:a'];
    expect(await setUp().update({ toolset })).toMatchObject({
      agent: { toolset },
      before: { toolset: ['preset:read-only'] },
      after: { toolset },
      changed: ['toolset'],
    });
  });

  it('leaves the list alone where none is given', async () => {
    expect(await setUp().update({ displayName: 'SRE' })).toMatchObject({
      agent: { toolset: ['preset:read-only'] },
      changed: ['agent.displayName'],
    });
  });
});

requirement('4.4/update-older-agents', () => {
  it('gives a toolset to an agent that declares none', async () => {
    const { service, update } = setUp({ agent: { name: 'sre' } });
    expect(await service.get_agent({ name: 'sre' })).toMatchObject({
      value: { implicitFullAccess: true },
    });
    const { agent, changed } = await update({ toolset: ['preset:none'] });
    expect(changed).toEqual(['toolset']);
    expect(agent.toolset).toEqual(['preset:none']);
    expect(agent).not.toHaveProperty('implicitFullAccess');
  });
});
