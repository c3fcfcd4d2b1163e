import { startTestCluster } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { applyObject, type ApplyRequest } from '../src/object-requests.ts';
import { connected, POD, podOf } from './pods.ts';

const start = async () => {
  const { api, kubeconfig } = await startTestCluster();
  const connection = await connected({ kubeconfig });
  const apply = (fieldManager: string, spec: object, rest: Partial<ApplyRequest> = {}) =>
    applyObject(connection, {
      kind: POD,
      key: { namespace: 'default', name: 'a' },
      fields: { spec },
      fieldManager,
      ...rest,
    });
  return { api, apply };
};

describe('server-side apply', () => {
  it('creates an object, then changes only the fields of its manager', async () => {
    const { api, apply } = await start();
    api.apply(podOf('a', { nodeName: 'node-1' }));
    expect(await apply('gateway', { priority: 1, hostname: 'a' })).toMatchObject({
      ok: true,
      value: { object: { spec: { nodeName: 'node-1', priority: 1, hostname: 'a' } } },
    });
    const second = await apply('gateway', { priority: 2 });
    expect(second.ok && second.value.object.spec).toEqual({ nodeName: 'node-1', priority: 2 });
    expect(api.requests.at(-1)?.query.get('fieldManager')).toBe('gateway');
  });

  it('conflicts with the fields of another manager unless it is forced', async () => {
    const { apply } = await start();
    expect((await apply('gateway', { priority: 1 })).ok).toBe(true);
    expect((await apply('other', { priority: 1 })).ok).toBe(true);
    expect(await apply('other', { priority: 2 })).toMatchObject({
      failure: { kind: 'refused', status: 409, reason: 'Conflict' },
    });
    expect(await apply('other', { priority: 2 }, { isForced: true })).toMatchObject({
      value: { object: { spec: { priority: 2 } } },
    });
  });

  it('reports a namespace that does not exist', async () => {
    const { apply } = await start();
    const key = { namespace: 'missing', name: 'a' };
    expect(await apply('gateway', {}, { key })).toMatchObject({
      failure: { kind: 'refused', status: 404 },
    });
  });
});
