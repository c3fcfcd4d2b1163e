import { expect, it } from 'vitest';
import { createResourceKey, formatProblem } from '../../src/index.ts';
import { openedStore, serverObject, startGatewayCluster, workflowObject } from './cluster-store.ts';

const withNote = <T extends { readonly metadata: object }>(object: T, bytes: number): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { note: 'a'.repeat(bytes) } },
});

it('refuses objects over 128 KiB, whatever makes them large, and names their size', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('fits', { description: 'a' }));
  api.apply(withNote(serverObject('noted'), 131_072));
  api.apply(withNote(workflowObject('flow'), 131_072));
  const store = await openedStore(kubeconfig);
  const problems = () => store.current().problems.map(formatProblem);
  expect(problems()).toEqual(
    ['flow', 'noted'].map((name) =>
      expect.stringMatching(
        `^default/${name}: metadata and spec have 131\\d{3} bytes; a definition has at most 131072$`,
      ),
    ),
  );
  expect(store.current().servers.map(({ metadata }) => metadata.name)).toEqual(['fits']);
  expect(store.current().workflows).toMatchObject([{ name: 'flow', valid: false, text: '' }]);
  await expect
    .poll(() => api.history.get(KIND, createResourceKey('noted'))?.['status'])
    .toMatchObject({
      state: 'Failed',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ValidationFailed' }],
    });

  api.apply(serverObject('noted', { timeout: 7 }));
  await expect
    .poll(() => store.current().servers.map(({ metadata }) => metadata.name))
    .toEqual(['fits', 'noted']);
});

it('writes no definition that it would refuse for its size', async () => {
  const { kubeconfig } = await startGatewayCluster();
  const store = await openedStore(kubeconfig);
  expect(await store.servers.create(withNote(serverObject('noted'), 131_072))).toEqual({
    kind: 'invalid',
    issues: ['it would be larger than 131072 bytes'],
  });
  expect(await store.servers.create(withNote(serverObject('noted'), 65_536))).toEqual({
    kind: 'done',
  });
});

const KIND = {
  group: 'gateway.internal',
  version: 'v1alpha1',
  kind: 'MCPServer',
  resource: 'mcpservers',
};
