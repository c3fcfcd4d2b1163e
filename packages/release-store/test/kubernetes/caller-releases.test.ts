import type { AgentStore } from '@gateway/agent-releases';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCallerReleases } from '../../src/kubernetes/open-caller-releases.ts';
import type { CallerReleases } from '../../src/results/opened-releases.ts';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { releaseOf } from '../suite/sample-objects.ts';

const USERS = new Map([
  ['token-of-the-test', 'agent-manager'],
  ['token-of-alice', 'alice'],
  ['token-of-bob', 'bob'],
]);

const open = async (): Promise<{
  readonly cluster: Cluster;
  readonly releases: CallerReleases;
}> => {
  const cluster = await startCluster({ users: USERS });
  const { kubeconfig } = cluster;
  const opened = await openCallerReleases({ kubeconfig, namespaces: ['default', 'tenant'] });
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.releases.close());
  return { cluster, releases: opened.releases };
};

const namesOf = async (store: AgentStore): Promise<readonly string[] | string> => {
  const answer = await store.listReleases('default');
  return answer.ok
    ? answer.value.map(({ object }) => object.metadata.name)
    : `${answer.refusal.code}: ${answer.refusal.message}`;
};

describe('the stores of callers', () => {
  it('act as their callers, and never as agent-manager', async () => {
    const { cluster, releases } = await open();
    cluster.api.isAllowed = (_request, user) => user === 'alice';
    const alice = releases.storeOf('token-of-alice');
    expect(await alice.createRelease(releaseOf('sre'))).toMatchObject({ ok: true });
    expect(await namesOf(alice)).toEqual(['sre']);
    expect(await namesOf(releases.storeOf('token-of-bob'))).toMatch(
      /^forbidden: .*User "bob" cannot list/,
    );
    const sent = cluster.api.requests.map(({ headers }) => headers.authorization);
    expect([...new Set(sent)]).toEqual(['Bearer token-of-alice', 'Bearer token-of-bob']);
  });

  it('report a token that the cluster does not accept', async () => {
    const { releases } = await open();
    expect(await namesOf(releases.storeOf('unknown'))).toBe(
      'unauthenticated: unauthorized: the Kubernetes API does not accept your identity token',
    );
  });

  it('do not share a list that is being read', async () => {
    const { cluster, releases } = await open();
    expect(await releases.storeOf('token-of-alice').createRelease(releaseOf('sre'))).toMatchObject({
      ok: true,
    });
    cluster.api.isAllowed = (_request, user) => user === 'alice';
    const [alice, bob] = await Promise.all([
      namesOf(releases.storeOf('token-of-alice')),
      namesOf(releases.storeOf('token-of-bob')),
    ]);
    expect(alice).toEqual(['sre']);
    expect(bob).toMatch(/^forbidden: /);
  });

  it('are reused for a token', async () => {
    const { releases } = await open();
    expect(releases.storeOf('token-of-alice')).toBe(releases.storeOf('token-of-alice'));
    expect(releases.storeOf('token-of-alice')).not.toBe(releases.storeOf('token-of-bob'));
  });

  it('are at most 256', async () => {
    const { releases } = await open();
    const first = releases.storeOf('token-of-alice');
    for (let at = 0; at < 256; at += 1) releases.storeOf(`token-${at}`);
    expect(releases.storeOf('token-of-alice')).not.toBe(first);
    expect(await namesOf(first)).toEqual([]);
  });

  it('are reachable while the API answers, whatever it answers to an unknown client', async () => {
    const { cluster, releases } = await open();
    expect(await releases.check()).toEqual({ ok: true, value: true });
    expect(cluster.api.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
    ]);
    await cluster.api.close().catch(() => undefined);
    expect(await releases.check()).toMatchObject({ ok: false, refusal: { code: 'backend_error' } });
  });

  it('send nothing after they are closed', async () => {
    const { releases } = await open();
    const alice = releases.storeOf('token-of-alice');
    await releases.close();
    expect(await namesOf(alice)).toMatch(/the store is closed/);
  });
});
