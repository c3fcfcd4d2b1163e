import type { OperationDraft, UpdateResult } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import { createAgentService, type AgentStore } from '../../src/index.ts';
import type { HelmRelease, Json } from '../../src/store/agent-store.ts';
import { memoryStore } from '../support/memory-store.ts';
import { serviceParts } from '../support/service-parts.ts';
import { requirement } from '../requirement.ts';

const VALUES: Json = {
  muster: { serverRef: { name: 'other' } },
  agent: { name: 'sre', description: 'helps' },
  modelConfig: { name: 'small' },
  toolset: ['preset:read-only'],
};

const release = (values: Json, parts: Json = {}): HelmRelease => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { name: 'sre', namespace: 'default', annotations: { own: 'x' } },
  spec: {
    chartRef: { kind: 'OCIRepository', name: 'agent' },
    timeout: '5m',
    values,
    ...parts,
  },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});

const setUp = (values: Json = VALUES, parts: Json = {}, over: Partial<AgentStore> = {}) => {
  const store = memoryStore({ objects: [release(values, parts)], takesAnyModel: true });
  const service = createAgentService(serviceParts({ store: { ...store, ...over } }));
  const update = async (draft: OperationDraft<'update_agent'>): Promise<UpdateResult> => {
    const answer = await service.update_agent({ name: 'sre', ...draft });
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  return { store, service, update, stored: () => store.contents()[0] };
};

describe('update_agent', () => {
  it('changes the given values, and shows the values before and after and the changed paths', async () => {
    const { update, stored } = setUp();
    const after = {
      muster: { serverRef: { name: 'other' } },
      agent: { name: 'sre', displayName: 'SRE' },
      modelConfig: { name: 'large' },
      toolset: ['preset:read-only'],
    };
    expect(
      await update({ description: '', displayName: 'SRE', modelConfig: 'large' }),
    ).toMatchObject({
      agent: { displayName: 'SRE', modelConfig: 'large', values: after },
      before: VALUES,
      after,
      changed: ['agent.description', 'agent.displayName', 'modelConfig.name'],
      manifests: { values: after },
    });
    expect(stored()).toEqual({
      ...release(after),
      spec: { ...release(after).spec, timeout: '5m' },
    });
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
    const parts = { chartRef: { kind: 'OCIRepository', name: 'mirror' } };
    const { store, update } = setUp(VALUES, parts);
    await store.createSource({
      kind: 'OCIRepository',
      metadata: { name: 'mirror', namespace: 'default' },
      spec: { url: 'oci://registry.gateway.internal/charts/agent' },
    });
    expect((await update({})).manifests.ociRepository).toContain('name: mirror\n');
  });

  it('writes nothing where nothing differs', async () => {
    const { store, update } = setUp();
    const [before] = store.contents();
    const same = {
      description: 'helps',
      toolset: ['preset:read-only'],
      displayName: '',
      labels: {},
    };
    expect(await update(same)).toMatchObject({ before: VALUES, after: VALUES, changed: [] });
    expect(await update({})).toMatchObject({ changed: [] });
    expect(store.contents()[0]).toBe(before);
  });

  it('replaces skills, labels and annotations whole, and takes empty ones away', async () => {
    const { update } = setUp({
      ...VALUES,
      labels: { a: '1', 'b.c/d': '2' },
      annotations: { e: '3' },
      skills: { refs: ['x'] },
    });
    expect(
      await update({ labels: { a: '1' }, annotations: {}, skills: { gitAuthSecretName: 's' } }),
    ).toMatchObject({
      after: { ...VALUES, labels: { a: '1' }, skills: { gitAuthSecretRef: { name: 's' } } },
      changed: ['annotations.e', 'labels["b.c/d"]', 'skills.gitAuthSecretRef.name', 'skills.refs'],
    });
  });

  it('is not blocked by invalid values that other clients wrote', async () => {
    const others = { ...VALUES, futureValue: 1, agent: { name: 'sre', runtime: 'rust' } };
    const { update, service } = setUp(others);
    expect(await update({ description: 'new' })).toMatchObject({ changed: ['agent.description'] });
    expect(await service.update_agent({ name: 'sre', runtime: 'java' })).toMatchObject({
      error: {
        message:
          'invalid request: values do not satisfy the agent chart schema 0.6.0 (embedded): /agent/runtime: must be one of go, python',
      },
    });
    expect(await update({ runtime: 'go' })).toMatchObject({ changed: ['agent.runtime'] });
  });

  it('refuses values that are nested too deep, from any client', async () => {
    const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => ({ a: inner }), 1);
    const store = memoryStore();
    const stored = { object: release({ extraAgentSpec: deep }), revision: '1' };
    const getRelease = () => Promise.resolve({ ok: true, value: stored } as const);
    const service = createAgentService(serviceParts({ store: { ...store, getRelease } }));
    expect(await service.update_agent({ name: 'sre', description: 'x' })).toMatchObject({
      error: {
        message:
          'invalid request: values do not satisfy the agent chart schema 0.6.0 (embedded): (root): must be nested at most 64 levels',
      },
    });
  });

  it('asks for a model only where it changes', async () => {
    const objects = [release(VALUES)];
    const service = createAgentService(serviceParts({ store: memoryStore({ objects }) }));
    expect(await service.update_agent({ name: 'sre', modelConfig: 'small' })).toMatchObject({
      ok: true,
    });
    expect(await service.update_agent({ name: 'sre', modelConfig: '' })).toMatchObject({
      ok: true,
    });
    expect(await service.update_agent({ name: 'sre', modelConfig: 'nope' })).toMatchObject({
      error: {
        message:
          'invalid request: modelConfig "nope" does not exist in namespace default (no ModelConfigs there; a platform admin provisions them)',
      },
    });
  });

  it('returns the conflict with a concurrent change, and does not retry', async () => {
    let writes = 0;
    const { service } = setUp(
      VALUES,
      {},
      {
        replaceRelease: () => {
          writes += 1;
          return Promise.resolve({
            ok: false,
            error: { code: 'conflict', message: 'conflict: changed' },
          });
        },
      },
    );
    expect(await service.update_agent({ name: 'sre', description: 'x' })).toEqual({
      ok: false,
      error: { code: 'conflict', message: 'conflict: changed' },
    });
    expect(writes).toBe(1);
  });

  it('writes with force a release that is suspended or comes from Git', async () => {
    const { service, update } = setUp(VALUES, { suspend: true });
    expect(await service.update_agent({ name: 'sre', description: 'x' })).toMatchObject({
      error: { code: 'conflict' },
    });
    expect(await update({ description: 'x', force: true })).toMatchObject({
      changed: ['agent.description'],
    });
  });
});

requirement('4.4/update-replaces', () => {
  it('takes the new list for the old one, whole', async () =>
    expect(await setUp().update({ toolset: ['tool:a', 'tool:a'] })).toMatchObject({
      agent: { toolset: ['tool:a', 'tool:a'] },
      before: { toolset: ['preset:read-only'] },
      after: { toolset: ['tool:a', 'tool:a'] },
      changed: ['toolset'],
    }));

  it('leaves the list alone where none is given', async () =>
    expect(await setUp().update({ displayName: 'SRE' })).toMatchObject({
      agent: { toolset: ['preset:read-only'] },
      changed: ['agent.displayName'],
    }));
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
