import { describe, expect, it } from 'vitest';
import { createResourceKey } from '../../src/index.ts';
import { findObjectOwner } from '../../src/kubernetes/definition-writer.ts';
import { openedCluster, serverObject, workflowObject } from './cluster-store.ts';

const CONTROLLER = { apiVersion: 'v1', kind: 'Team', name: 'a', uid: '1', controller: true };

describe('an object of another tool', () => {
  it.each([
    [{ ownerReferences: [CONTROLLER] }, 'Team "a"'],
    [{ labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } }, 'the Kustomization "apps"'],
    [{ labels: { 'helm.toolkit.fluxcd.io/name': 'mcps' } }, 'the HelmRelease "mcps"'],
    [{ annotations: { 'meta.helm.sh/release-name': 'mcps' } }, 'the Helm release "mcps"'],
    [
      { annotations: { 'argocd.argoproj.io/tracking-id': 'a:b"' } },
      'the Argo CD application "a:b\\""',
    ],
  ])('is recognized by %j', (metadata, owner) => {
    expect(findObjectOwner(metadata)).toBe(owner);
  });

  it.each([
    {},
    { ownerReferences: [{ ...CONTROLLER, controller: false }] },
    { labels: { 'app.kubernetes.io/managed-by': 'someone' } },
    { labels: null, annotations: 'a', ownerReferences: {} },
  ])('is not seen in %j', (metadata) => {
    expect(findObjectOwner(metadata)).toBeUndefined();
  });

  it('is not deleted, because the tool would create it again', async () => {
    const [server, flow] = [serverObject('a'), workflowObject('flow')];
    const annotations = { 'meta.helm.sh/release-name': 'mcps' };
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'apps' };
    const { api, store, remove, names } = await openedCluster([
      { ...server, metadata: { ...server.metadata, annotations } },
      { ...flow, metadata: { ...flow.metadata, labels } },
    ]);
    const failed = (text: string) => ({ kind: 'failed', text });
    expect(await remove()).toEqual(
      failed('MCPServer default/a belongs to the Helm release "mcps"; delete it there'),
    );
    expect(await store.workflows.remove(createResourceKey('flow'))).toEqual(
      failed('Workflow default/flow belongs to the Kustomization "apps"; delete it there'),
    );
    expect(names()).toEqual(['a']);
    api.apply({ ...server, metadata: { ...server.metadata, annotations: {} } });
    await store.refresh();
    expect(await remove()).toEqual({ kind: 'done' });
  });
});
