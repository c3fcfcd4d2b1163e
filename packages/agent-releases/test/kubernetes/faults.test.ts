import type { ServerResponse } from 'node:http';
import type { AgentStore } from '../../src/store/agent-store.ts';
import { describe, expect, it } from 'vitest';
import { accepted, valueOf } from '../suite/agent-store-suite.ts';
import { toName, releaseOf } from '../suite/sample-objects.ts';
import type { Fault } from '@gateway/test-peers';
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

const MALFORMED = 'its answer is not what was asked for';
const LATE = 'it did not answer within 300 ms';
const elsewhere = { location: 'http://127.0.0.1:1/' };
const LEADER = 'etcdserver: leader changed';

const FAULTS: readonly (readonly [string, Fault, string])[] = [
  ['dies in the middle of an answer', dying, 'the connection failed (ECONNRESET)'],
  ['does not answer', () => true, LATE],
  ['does not end its answer', endless, LATE],
  ['answers with what is no JSON', answering(200, '<html>'), MALFORMED],
  ['answers with a list of nothing', answering(200, '{}'), MALFORMED],
  ['answers with another address', answering(302, '', elsewhere), 'it answered 302'],
  ['fails without a word', answering(500, 'oh'), 'it answered 500'],
  ['fails', status(500, LEADER), `it answered 500: ${LEADER}`],
  ['requires too long a delay', answering(429, '', { 'retry-after': '60' }), 'it answered 429'],
  [
    'does not serve Flux',
    answering(404, '404 page not found\n'),
    'it does not serve HelmRelease of helm.toolkit.fluxcd.io/v2, which comes with Flux',
  ],
];

const backendError = (asked: string, problem: string) => ({
  ok: false,
  error: {
    code: 'backend_error',
    message: `the Kubernetes API could not ${asked}: ${problem}`,
  },
});

describe('a Kubernetes API that', () => {
  it.each(FAULTS)('%s is a backend error with the reason', async (_title, fault, problem) => {
    const store = await withFault(fault, problem.endsWith('300 ms') ? 300 : undefined);
    expect(await store.listReleases('default')).toEqual(
      backendError('list HelmReleases in namespace default', problem),
    );
  });

  it('is not reachable is a backend error of every operation, without its address', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    await api.close();
    await api.listen(0).then(() => api.close());
    const name = toName('sre');
    const answers = [
      [await store.listReleases('default'), 'list HelmReleases in namespace default'],
      [await store.getRelease(name), 'read HelmRelease default/sre'],
      [await store.createRelease(releaseOf('sre')), 'create HelmRelease default/sre'],
      [await store.replaceRelease(releaseOf('sre'), '1'), 'replace HelmRelease default/sre'],
      [await store.deleteRelease(name), 'delete HelmRelease default/sre'],
      [await store.listAgents('default'), 'list Agents in namespace default'],
      [await store.deleteAgent(name), 'delete Agent default/sre'],
      [await store.getSource(name), 'read OCIRepository default/sre'],
      [await store.modelConfigs('default'), 'list ModelConfigs in namespace default'],
      [await store.workload(name), 'read Deployment default/sre'],
      [await store.check(), 'list HelmReleases in namespace default'],
    ] as const;
    await api.listen();
    for (const [answer, asked] of answers)
      expect(answer).toEqual(backendError(asked, 'the connection failed (ECONNREFUSED)'));
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
    expect(await store.getRelease(toName('sre'))).toEqual(accepted(undefined));
    breakNext();
    expect(await store.createRelease(releaseOf('sre'))).toMatchObject({ ok: false });
    expect(api.requests.filter(({ verb }) => verb === 'create')).toHaveLength(1);
  });
});

describe('the refusals of Kubernetes', () => {
  it('are reported completely and bounded, and never with a token', async () => {
    const store = await withFault(status(500, `Bearer ${'x'.repeat(100_000)}`));
    const answer = await store.getRelease(toName('sre'));
    const message = answer.ok ? '' : answer.error.message;
    expect(message.length).toBeLessThan(2_200);
    expect(message).not.toContain('token-of-the-test');
  });

  it('of objects that it does not allow are reported', async () => {
    const problem = 'HelmRelease "sre" is invalid: spec.interval';
    const store = await withFault(status(422, problem));
    expect(await store.createRelease(releaseOf('sre'))).toEqual(
      backendError('create HelmRelease default/sre', `it answered 422: ${problem}`),
    );
  });
});

describe('a list', () => {
  it('omits objects without a name', async () => {
    const items = [null, 5, {}, { metadata: { name: 7, namespace: [] } }, releaseOf('sre')];
    const store = await withFault(answering(200, JSON.stringify({ metadata: 'none', items })));
    const [only, ...others] = valueOf(await store.listReleases('default'));
    expect(only?.object).toEqual(releaseOf('sre'));
    expect(others).toEqual([]);
  });
});

describe('a closed store', () => {
  it('aborts running requests, and leaves no connection', async () => {
    const { api, open } = await startCluster();
    const store = await open({ timeoutMs: 5_000 });
    await store.check();
    api.fault = () => true;
    const waiting = store.getRelease(toName('sre'));
    while (api.requests.length < 3) await new Promise(setImmediate);
    await store.close();
    expect(await waiting).toEqual(
      backendError('read HelmRelease default/sre', 'the store is closed'),
    );
    await expect.poll(() => api.connections(), { timeout: 60_000 }).toBe(0);
  });
});
