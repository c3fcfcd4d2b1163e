import { describe, expect, it } from 'vitest';
import { createResourceKey } from '../../src/index.ts';
import { findObjectOwner } from '../../src/kubernetes/definition-writer.ts';
import { openedStore, serverObject, startGatewayCluster, workflowObject } from './cluster-store.ts';

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
    const { api, kubeconfig } = await startGatewayCluster();
    const server = serverObject('a');
    const annotations = { 'meta.helm.sh/release-name': 'mcps' };
    api.apply({ ...server, metadata: { ...server.metadata, annotations } });
    const flow = workflowObject('flow');
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'apps' };
    api.apply({ ...flow, metadata: { ...flow.metadata, labels } });
    const store = await openedStore(kubeconfig);
    expect(await store.servers.remove(createResourceKey('a'))).toEqual({
      kind: 'failed',
      text: 'MCPServer default/a belongs to the Helm release "mcps"; delete it there',
    });
    expect(await store.workflows.remove(createResourceKey('flow'))).toEqual({
      kind: 'failed',
      text: 'Workflow default/flow belongs to the Kustomization "apps"; delete it there',
    });
    expect(store.current().servers).toHaveLength(1);
    api.apply({ ...server, metadata: { ...server.metadata, annotations: {} } });
    await store.refresh();
    expect(await store.servers.remove(createResourceKey('a'))).toEqual({ kind: 'done' });
  });
});
