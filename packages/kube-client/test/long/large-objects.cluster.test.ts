import { openSharedCluster } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { follow } from '../followed-objects.ts';

/** Together more than the 64 MiB of one response, and less than the API server accepts. */
const OBJECTS = 72;
const CHARACTERS = 1_000_000;

it('reads objects whose page is larger than a response may be, in smaller pages', async () => {
  const cluster = await openSharedCluster();
  const namespace = await cluster.namespace();
  const data = { text: 'a'.repeat(CHARACTERS) };
  const names = Array.from({ length: OBJECTS }, (_, at) => `large-${String(at).padStart(2, '0')}`);
  for (const name of names)
    await cluster.admin.expect('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
      content: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data },
    });
  const followed = await follow(cluster, { namespace, timeoutMs: 60_000 });
  expect(followed.log).toEqual([]);
  expect(followed.names().filter((name) => name.startsWith('large-'))).toEqual(names);
});
