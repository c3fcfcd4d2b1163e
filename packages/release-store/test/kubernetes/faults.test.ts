import type { ServerResponse } from 'node:http';
import type { AgentStore } from '@gateway/agent-releases';
import { describe, expect, it } from 'vitest';
import { at, releaseOf } from '../suite/sample-objects.ts';
import { type Fault, SERVED_KINDS } from '@gateway/test-cluster';
import { startCluster } from '../support/cluster.ts';

const answering =
  (code: number, body: string, headers: Readonly<Record<string, string>> = {}): Fault =>
  (_request, response) => {
    response.writeHead(code, headers).end(body);
    return true;
  };

const status = (code: number, message: string): Fault =>
  answering(code, JSON.stringify({ kind: 'Status', status: 'Failure', message, code }));

const withFault = async (fault: Fault, timeoutMs = 10_000): Promise<AgentStore> => {
  const cluster = await startCluster();
  cluster.api.fault = fault;
  return cluster.open({ timeoutMs });
};

const dying: Fault = (_request, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"items": [', () => response.destroy());
  return true;
};

const endless: Fault = (_request, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"items": [');
  return true;
};

const FAULTS: readonly (readonly [string, Fault, string])[] = [
  ['dies in the middle of an answer', dying, 'the connection failed (ECONNRESET)'],
  ['does not answer', () => true, 'it did not answer within 300 ms'],
  ['does not end its answer', endless, 'it did not answer within 300 ms'],
  [
    'answers with what is no JSON',
    answering(200, '<html>'),
    'its answer is not what was asked for',
  ],
  ['answers with a list of nothing', answering(200, '{}'), 'its answer is not what was asked for'],
  [
    'answers with another address',
    answering(302, '', { location: 'http://127.0.0.1:1/' }),
    'it answered 302',
  ],
  ['fails without a word', answering(500, 'oh'), 'it answered 500'],
  [
    'fails',
    status(500, 'etcdserver: leader changed'),
    'it answered 500: etcdserver: leader changed',
  ],
  ['requires too long a delay', answering(429, '', { 'retry-after': '60' }), 'it answered 429'],
];

describe('a Kubernetes API that', () => {
  it.each(FAULTS)('%s is a backend error with the reason', async (_title, fault, problem) => {
    const store = await withFault(fault, problem.endsWith('300 ms') ? 300 : undefined);
    expect(await store.listReleases('default')).toEqual({
      ok: false,
      refusal: {
        code: 'backend_error',
        message: `the Kubernetes API could not list HelmReleases in namespace default: ${problem}`,
      },
    });
  });

  it('is not reachable is a backend error of every operation, without its address', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    await api.close();
    await api.listen(0).then(() => api.close());
    const name = at('sre');
    const answers = [
      await store.listReleases('default'),
      await store.getRelease(name),
      await store.createRelease(releaseOf('sre')),
      await store.replaceRelease(releaseOf('sre'), '1'),
      await store.deleteRelease(name),
      await store.listAgents('default'),
      await store.deleteAgent(name),
      await store.getSource(name),
      await store.modelConfigs('default'),
      await store.workload(name),
      await store.check(),
    ];
    await api.listen();
    expect(answers.map((answer) => (answer.ok ? '' : answer.refusal.message))).toEqual(
      [
        'list HelmReleases in namespace default',
        'read HelmRelease default/sre',
        'create HelmRelease default/sre',
        'replace HelmRelease default/sre',
        'delete HelmRelease default/sre',
        'list Agents in namespace default',
        'delete Agent default/sre',
        'read OCIRepository default/sre',
        'list ModelConfigs in namespace default',
        'read Deployment default/sre',
        'list HelmReleases in namespace default',
      ].map(
        (asked) => `the Kubernetes API could not ${asked}: the connection failed (ECONNREFUSED)`,
      ),
    );
  });

  it('is overloaded gets the request again after its delay, also for a write', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    const refusals = [429, 429];
    api.fault = (_request, response) => {
      const code = refusals.pop();
      if (code !== undefined) response.writeHead(code, { 'retry-after': '0' }).end();
      return code !== undefined;
    };
    expect((await store.createRelease(releaseOf('sre'))).ok).toBe(true);
    expect(api.requests.map(({ verb }) => verb)).toEqual(['create', 'create', 'create']);
  });

  it('closed an idle connection gets a read once more, and not a write', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    const breakNext = (): void => {
      let isBroken = false;
      api.fault = (_request, response) => {
        if (isBroken) return false;
        isBroken = true;
        response.destroy();
        return true;
      };
    };
    await store.check();
    breakNext();
    expect(await store.getRelease(at('sre'))).toEqual({ ok: true, value: undefined });
    breakNext();
    expect(await store.createRelease(releaseOf('sre'))).toMatchObject({ ok: false });
    expect(api.requests.filter(({ verb }) => verb === 'create')).toHaveLength(1);
  });
});

describe('the refusals of Kubernetes', () => {
  it('have the message of the API about user and permission', async () => {
    const cluster = await startCluster({ isAllowed: ({ verb }) => verb === 'get' });
    const store = await cluster.open();
    const message =
      'forbidden: helmreleases.helm.toolkit.fluxcd.io is forbidden: User "agent-manager" cannot list resource "helmreleases" in API group "helm.toolkit.fluxcd.io" in the namespace "default"';
    expect(await store.listReleases('default')).toEqual({
      ok: false,
      refusal: { code: 'forbidden', message },
    });
    expect(await store.check()).toEqual({ ok: false, refusal: { code: 'forbidden', message } });
    expect(await store.getRelease(at('sre'))).toEqual({ ok: true, value: undefined });
  });

  it('report credentials that are not accepted', async () => {
    const cluster = await startCluster({ users: new Map([['another-token', 'somebody']]) });
    expect(await (await cluster.open()).check()).toEqual({
      ok: false,
      refusal: {
        code: 'unauthenticated',
        message:
          'unauthorized: the Kubernetes API does not accept the credentials of agent-manager',
      },
    });
  });

  it('are reported completely and bounded, and never with a token', async () => {
    const store = await withFault(status(500, `Bearer ${'x'.repeat(100_000)}`));
    const answer = await store.getRelease(at('sre'));
    const message = answer.ok ? '' : answer.refusal.message;
    expect(message.length).toBeLessThan(2_200);
    expect(message).not.toContain('token-of-the-test');
  });

  it('of objects that it does not allow are reported', async () => {
    const store = await withFault(status(422, 'HelmRelease "sre" is invalid: spec.interval'));
    expect(await store.createRelease(releaseOf('sre'))).toMatchObject({
      refusal: {
        code: 'backend_error',
        message:
          'the Kubernetes API could not create HelmRelease default/sre: it answered 422: HelmRelease "sre" is invalid: spec.interval',
      },
    });
  });
});

describe('a cluster that lacks something', () => {
  it('names the kind that it does not serve, where a missing object is just absent', async () => {
    const cluster = await startCluster({
      kinds: SERVED_KINDS.filter(({ group }) => group !== 'kagent.dev'),
    });
    const store = await cluster.open();
    const text = (asked: string, kind: string): string =>
      `the Kubernetes API could not ${asked}: it does not serve ${kind} of kagent.dev/v1alpha2, which comes with the agent runtime`;
    const refusal = (message: string) => ({
      ok: false,
      refusal: { code: 'backend_error', message },
    });
    expect(await store.listAgents('default')).toEqual(
      refusal(text('list Agents in namespace default', 'Agent')),
    );
    expect(await store.getAgent(at('sre'))).toEqual(
      refusal(text('read Agent default/sre', 'Agent')),
    );
    expect(await store.modelConfigs('default')).toEqual(
      refusal(text('list ModelConfigs in namespace default', 'ModelConfig')),
    );
    expect(await store.getRelease(at('sre'))).toEqual({ ok: true, value: undefined });
  });

  it('reports that Flux is missing before the first request', async () => {
    const cluster = await startCluster({ kinds: [] });
    expect(await (await cluster.open()).check()).toMatchObject({
      refusal: {
        message:
          'the Kubernetes API could not list HelmReleases in namespace default: it does not serve HelmRelease of helm.toolkit.fluxcd.io/v2, which comes with Flux',
      },
    });
  });

  it('names the namespace that it does not have', async () => {
    const cluster = await startCluster({ namespaces: ['tenant'] });
    const store = await cluster.open();
    expect(await store.listReleases('default')).toEqual({ ok: true, value: [] });
    expect(await store.createRelease(releaseOf('sre'))).toMatchObject({
      refusal: {
        code: 'backend_error',
        message:
          'the Kubernetes API could not create HelmRelease default/sre: it answered 404: namespaces "default" not found',
      },
    });
  });
});

describe('a closed store', () => {
  it('aborts running requests, and leaves no connection', async () => {
    const { api, open } = await startCluster();
    const store = await open({ timeoutMs: 5_000 });
    await store.check();
    api.fault = () => true;
    const waiting = store.getRelease(at('sre'));
    while (api.requests.length < 3) await new Promise(setImmediate);
    await store.close();
    expect(await waiting).toEqual({
      ok: false,
      refusal: {
        code: 'backend_error',
        message: 'the Kubernetes API could not read HelmRelease default/sre: the store is closed',
      },
    });
    await expect.poll(() => api.connections(), { timeout: 60_000 }).toBe(0);
  });
});
