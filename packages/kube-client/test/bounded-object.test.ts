import { expect, it, onTestFinished } from 'vitest';
import { startTestCluster } from '@gateway/test-peers';
import { ObjectInformer, type VersionedObject } from '../src/index.ts';
import { connected, POD, podOf } from './pods.ts';

const MAX = 2_000;
const large = (v: number) => podOf('large', { v, text: 'é'.repeat(MAX / 2) });

const following = async () => {
  const { api, kubeconfig } = await startTestCluster();
  api.apply(large(1));
  api.apply(podOf('small', { v: 1, text: 'a'.repeat(MAX / 2) }));
  const connection = await connected({ kubeconfig });
  const informer = new ObjectInformer(connection, {
    ...{ kind: POD, maxObjectBytes: MAX },
    ...{ onChange: () => undefined, onFailure: () => undefined, onRecovery: () => undefined },
  });
  onTestFinished(() => informer.stop());
  await informer.waitForSync();
  const of = (name: string): VersionedObject => {
    const object = informer.get({ namespace: 'default', name });
    if (object === undefined) throw new Error(`no ${name}`);
    return object;
  };
  return { api, informer, of };
};

it('holds objects over their maximum without contents, from lists, watches and responses', async () => {
  const { api, informer, of } = await following();
  const listed = of('large');
  expect(Object.keys(listed.object).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
  expect(listed.omittedBytes).toBeGreaterThan(MAX);
  expect(of('small')).toMatchObject({ object: { spec: { v: 1 } } });
  expect(of('small').omittedBytes).toBeUndefined();

  api.apply({ ...large(2), status: { phase: 'Running' } });
  await expect.poll(() => of('large').object.status).toEqual({ phase: 'Running' });
  expect(of('large').object.spec).toBeUndefined();
  expect(of('large').revision).not.toBe(listed.revision);

  api.apply({ ...podOf('small', { v: 2 }), status: { text: 'a'.repeat(MAX) } });
  await expect.poll(() => of('small').object.spec).toEqual({ v: 2 });
  expect(of('small').object.status).toBeUndefined();

  const known = of('small');
  const spec = { text: 'a'.repeat(MAX) };
  informer.add({ object: { ...known.object, spec }, revision: '999999' });
  expect(of('small')).toMatchObject({
    revision: '999999',
    object: { metadata: { name: 'small' } },
  });
  expect(of('small').object.spec).toBeUndefined();

  api.apply(podOf('large', { v: 3 }));
  await expect.poll(() => of('large').object.spec).toEqual({ v: 3 });
  expect(of('large').omittedBytes).toBeUndefined();
});
