import { expect, it } from 'vitest';
import { openedCluster, serverObject, workflowObject } from './cluster-store.ts';

const withNote = <T extends { readonly metadata: object }>(object: T, bytes: number): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { note: 'a'.repeat(bytes) } },
});

it('refuses objects over 128 KiB, whatever makes them large, and names their size', async () => {
  const { api, store, problems, names, find } = await openedCluster([
    serverObject('fits', { description: 'a' }),
    withNote(serverObject('noted'), 131_072),
    withNote(workflowObject('flow'), 131_072),
  ]);
  const message = 'metadata and spec have 131\\d{3} bytes; a definition has at most 131072$';
  expect(problems()).toEqual([
    expect.stringMatching(`^default/flow: ${message}`),
    expect.stringMatching(`^default/noted: ${message}`),
  ]);
  expect(names()).toEqual(['fits']);
  expect(store.current().workflows).toMatchObject([{ name: 'flow', valid: false, text: '' }]);
  await expect
    .poll(() => find('noted')?.['status'])
    .toMatchObject({
      state: 'Failed',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ValidationFailed' }],
    });
  api.apply(serverObject('noted', { timeout: 7 }));
  await expect.poll(names).toEqual(['fits', 'noted']);
});

it('writes no definition that it would refuse for its size', async () => {
  const { store } = await openedCluster([]);
  const create = (bytes: number) => store.servers.create(withNote(serverObject('noted'), bytes));
  const issues = ['it would be larger than 131072 bytes'];
  expect(await create(131_072)).toEqual({ kind: 'invalid', issues });
  expect(await create(65_536)).toEqual({ kind: 'done' });
});
