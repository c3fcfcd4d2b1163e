import type { AgentStore, CallerReleases } from '../../src/store/agent-store.ts';
import { expect, it, onTestFinished } from 'vitest';
import { openCallerReleases } from '../../src/kubernetes/kubernetes-store.ts';
import { releaseOf } from '../suite/sample-objects.ts';
import { permittedToken, type ClusterOfTest, type SharedCluster } from '../support/real-cluster.ts';

const RELEASES = { apiGroups: ['helm.toolkit.fluxcd.io'], resources: ['helmreleases'] };

interface OpenedCallers {
  readonly cluster: ClusterOfTest;
  readonly releases: CallerReleases;
  readonly alice: AgentStore;
  /** Of a caller without permissions. */
  readonly bob: AgentStore;
  readonly tokens: readonly string[];
}

const openWith = (shared: SharedCluster) => async (): Promise<OpenedCallers> => {
  const cluster = await shared.start();
  const { kubeconfig } = cluster;
  const opened = await openCallerReleases({ kubeconfig, namespaces: ['default', 'tenant'] });
  if (!opened.ok) throw new Error(opened.problem);
  const { releases } = opened;
  onTestFinished(() => releases.close());
  const rules = [{ ...RELEASES, verbs: ['list', 'get', 'create'] }];
  const alice = await permittedToken(cluster.cluster, 'alice', rules);
  const bob = await permittedToken(cluster.cluster, 'bob', []);
  const stores = { alice: releases.getStore(alice), bob: releases.getStore(bob) };
  return { cluster, releases, ...stores, tokens: [alice, bob] };
};

const formatReleaseNames = async (store: AgentStore): Promise<readonly string[] | string> => {
  const answer = await store.listReleases('default');
  return answer.ok
    ? answer.value.map(({ object }) => object.metadata.name)
    : `${answer.error.code}: ${answer.error.message}`;
};

/** Tests of stores that act as their callers. */
export const callerTests = (shared: SharedCluster): void => {
  const open = openWith(shared);

  it('act as their callers, and never as agent-manager', async () => {
    const { cluster, alice, bob, tokens } = await open();
    expect(await alice.createRelease(releaseOf('sre'))).toMatchObject({ ok: true });
    expect(await formatReleaseNames(alice)).toEqual(['sre']);
    expect(await formatReleaseNames(bob)).toBe(
      'forbidden: forbidden: helmreleases.helm.toolkit.fluxcd.io is forbidden: User "system:serviceaccount:default:bob" cannot list resource "helmreleases" in API group "helm.toolkit.fluxcd.io" in the namespace "default"',
    );
    const sent = cluster.proxy.requests.map(({ headers }) => headers.authorization);
    expect([...new Set(sent)]).toEqual(tokens.map((token) => `Bearer ${token}`));
  });

  it('report a token that the cluster does not accept', async () => {
    const { releases } = await open();
    expect(await formatReleaseNames(releases.getStore('unknown'))).toBe(
      'unauthenticated: unauthorized: the Kubernetes API does not accept your identity token',
    );
  });

  it('do not share a list that is being read', async () => {
    const { alice, bob } = await open();
    expect(await alice.createRelease(releaseOf('sre'))).toMatchObject({ ok: true });
    const [own, other] = await Promise.all([formatReleaseNames(alice), formatReleaseNames(bob)]);
    expect(own).toEqual(['sre']);
    expect(other).toMatch(/^forbidden: /);
  });

  it('are reused for a token, and at most 256', async () => {
    const { releases, alice, bob, tokens } = await open();
    const [token = ''] = tokens;
    expect(releases.getStore(token)).toBe(alice);
    expect(alice).not.toBe(bob);
    for (let at = 0; at < 256; at += 1) releases.getStore(`token-${at}`);
    expect(releases.getStore(token)).not.toBe(alice);
    expect(await formatReleaseNames(alice)).toEqual([]);
  });

  it('are reachable while the API answers, whatever it answers to an unknown client', async () => {
    const { cluster, releases } = await open();
    expect(await releases.check()).toEqual({ ok: true, value: true });
    const sent = cluster.proxy.requests.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([undefined]));
    cluster.proxy.fault = (_request, response) => {
      response.destroy();
      return true;
    };
    expect(await releases.check()).toMatchObject({ ok: false, error: { code: 'backend_error' } });
  });

  it('send nothing after they are closed', async () => {
    const { releases, alice } = await open();
    await releases.close();
    expect(await formatReleaseNames(alice)).toMatch(/the store is closed/);
  });
};
