import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ClusterObject } from '@gateway/test-peers';
import { beforeAll, describe, expect, it } from 'vitest';
import { metaToolText } from '../harness/gateway-client.ts';
import { startInstalling, type Installing } from '../platform/installing-platform.ts';
import { AGENTS } from '../platform/platform.ts';

const POLLING = { timeout: 60_000, interval: 100 };
const GATEWAY = resolve(import.meta.dirname, '../../../../apps/gateway/dist/cli.js');

let installing: Installing;

beforeAll(async () => {
  installing = await startInstalling();
  return () => installing.stop();
});

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a request to the REST routes of agent-manager. */
const rest = async (method: string, path: string, content?: object): Promise<Answer> => {
  const response = await fetch(new URL(`/api/v1/agents${path}`, installing.platform.agentManager), {
    method,
    ...(content && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
    }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
};

/** Calls a tool of agent-manager through the gateway. */
const viaGateway = async (tool: string, args: object): Promise<unknown> => {
  const name = `x_agent-manager_${tool}`;
  const text = await metaToolText(installing.platform.endpoint, {
    name: 'call_tool',
    args: { name, arguments: args },
  });
  return JSON.parse(text);
};

/** Calls a tool of agent-manager with the command line of the gateway. */
const viaCommandLine = async (tool: string, ...args: readonly string[]): Promise<unknown> => {
  const command = ['tools', 'call', `x_agent-manager_${tool}`, ...args, '--output', 'json'];
  const url = ['--url', installing.platform.endpoint.href];
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [GATEWAY, ...command, ...url]);
  return JSON.parse(stdout);
};

const statusOf = async (name: string) => (await rest('GET', `/${AGENTS}/${name}/status`)).body;

/** Waits until the status of an agent has these fields. */
const expectStatus = (name: string, status: object): Promise<void> =>
  expect.poll(() => statusOf(name), POLLING).toMatchObject(status);

const objectAt =
  (apiVersion: string, kind: string) =>
  (name: string): ClusterObject => ({ apiVersion, kind, metadata: { namespace: AGENTS, name } });
const agentOf = objectAt('kagent.dev/v1alpha2', 'Agent');
const releaseOf = objectAt('helm.toolkit.fluxcd.io/v2', 'HelmRelease');
const SOURCE = objectAt('source.toolkit.fluxcd.io/v1', 'OCIRepository')('agent');

/** Changes an object as a user with `kubectl patch` does. */
const patch = async (object: ClusterObject, content: object, part = ''): Promise<void> => {
  const path = `${await installing.cluster.admin.resolvePath(object)}${part}`;
  const type = 'application/merge-patch+json';
  await installing.cluster.admin.expect('PATCH', path, { type, content });
};

/** Reports an agent as ready, as the agent runtime does. */
const reportReady = async (name: string): Promise<void> => {
  const lastTransitionTime = new Date().toISOString();
  const condition = { status: 'True', reason: 'Reconciled', message: '', lastTransitionTime };
  const conditions = ['Accepted', 'Ready'].map((type) => ({ type, ...condition }));
  await patch(agentOf(name), { status: { conditions } }, '/status');
};

const toolsOf = async (name: string): Promise<unknown> => {
  const { spec } = (await installing.cluster.admin.read(agentOf(name))) as unknown as {
    readonly spec: { readonly declarative: { readonly tools?: readonly object[] } };
  };
  return spec.declarative.tools;
};

const header = (value: string) => [
  expect.objectContaining({ headersFrom: [{ name: 'X-Gateway-Toolset', value }] }),
];

const secretsOfReleases = async (): Promise<readonly string[]> => {
  const path = `/api/v1/namespaces/${AGENTS}/secrets?labelSelector=owner%3Dhelm`;
  const { items } = (await installing.cluster.admin.expect('GET', path)) as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name);
};

/** The agents of the namespace. */
const listed = async () => (await rest('GET', '')).body['agents'];

const created = (name: string, toolset: readonly string[]) =>
  rest('POST', '', { namespace: AGENTS, name, modelConfig: 'small', toolset });

describe('an agent created through REST', () => {
  it('is installed from the registry with the values of its release, and read back as ready', async () => {
    const toolset = ['preset:read-only', 'server:kubernetes'];
    expect((await created('helper', toolset)).status).toBe(201);
    await expectStatus('helper', {
      verdict: 'progressing',
      summary: 'Agent is there; the runtime has not reported it ready yet',
      helmRelease: { ready: true, history: [{ version: 1, chartVersion: '0.6.0' }] },
    });
    expect(await toolsOf('helper')).toEqual(header('preset:read-only,server:kubernetes'));
    expect(await secretsOfReleases()).toEqual(['sh.helm.release.v1.helper.v1']);

    await reportReady('helper');
    const ready = { verdict: 'ready', summary: 'Agent is Ready', name: 'helper' };
    const agent = { namespace: AGENTS, name: 'helper' };
    expect(await statusOf('helper')).toMatchObject(ready);
    expect(await viaGateway('get_agent_status', agent)).toMatchObject(ready);
    const shown = await viaCommandLine('get_agent_status', `namespace=${AGENTS}`, 'name=helper');
    expect(JSON.stringify(shown)).toContain('Agent is Ready');
    expect((await rest('GET', `/${AGENTS}/helper`)).body).toMatchObject({
      exists: true,
      ready: true,
      managed: 'helmrelease',
      toolset,
      helmRelease: { ready: true, reason: 'InstallSucceeded', chartVersion: '0.6.0' },
    });
  });

  it('has its new toolset after an update, with values that a user added in the cluster', async () => {
    const metadata = { namespace: AGENTS, name: 'more' };
    const data = { 'values.yaml': 'replicas: 2\n' };
    await installing.cluster.admin.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    const valuesFrom = [{ kind: 'ConfigMap', name: 'more' }];
    await patch(releaseOf('helper'), { spec: { valuesFrom } });
    const { status, body } = await rest('PATCH', `/${AGENTS}/helper`, { toolset: ['preset:full'] });
    expect([status, body['changed']]).toEqual([200, ['toolset']]);
    await expect.poll(() => toolsOf('helper'), POLLING).toEqual(header('preset:full'));
    expect(await installing.cluster.admin.read(agentOf('helper'))).toMatchObject({
      spec: { declarative: { deployment: { replicas: 2 } } },
    });
    await expectStatus('helper', {
      helmRelease: { ready: true, conditions: [{ reason: 'UpgradeSucceeded' }, {}] },
    });
  });

  it('has failed with the reason when the chart refuses its values, and recovers when they are corrected', async () => {
    await created('wrong', ['preset:none']);
    await expectStatus('wrong', { helmRelease: { ready: true } });
    await patch(releaseOf('wrong'), { spec: { values: { replicas: 'many' } } });
    await expectStatus('wrong', {
      verdict: 'failed',
      summary: expect.stringMatching(
        /^HelmRelease is not ready \(UpgradeFailed\): [^]*- replicas: Invalid type/u,
      ) as unknown,
    });
    await patch(releaseOf('wrong'), { spec: { values: { replicas: null } } });
    await expectStatus('wrong', { verdict: 'progressing' });
  });

  it('has failed with the reason when the registry has no such version of the chart', async () => {
    await patch(SOURCE, { spec: { ref: { semver: '9.x' } } });
    await created('early', ['preset:none']);
    await expectStatus('early', {
      verdict: 'failed',
      summary: expect.stringMatching(
        /^HelmRelease is not ready \(SourceNotReady\): [^]*charts\/agent/u,
      ) as unknown,
    });
    expect((await rest('GET', `/${AGENTS}/early`)).body).toMatchObject({ exists: false });
    await patch(SOURCE, { spec: { ref: { semver: 'x.x.x' } } });
    await expectStatus('early', { helmRelease: { ready: true } });
  });

  it('is gone with everything that was installed after its deletion', async () => {
    for (const name of ['helper', 'wrong', 'early'])
      expect((await rest('DELETE', `/${AGENTS}/${name}`)).status).toBe(200);
    await expect.poll(listed, POLLING).toEqual([]);
    for (const object of ['helper', 'wrong', 'early'].flatMap((name) => [
      agentOf(name),
      releaseOf(name),
    ]))
      await expect(installing.cluster.admin.read(object)).rejects.toThrow(/404/u);
    expect(await secretsOfReleases()).toEqual([]);
  });
});

it('while Flux deletes a release, its source stays, and a creation and a change are refused', async () => {
  await created('leaving', ['preset:none']);
  await expectStatus('leaving', { helmRelease: { ready: true } });
  await installing.flux.pause();
  const { body } = await rest('DELETE', `/${AGENTS}/leaving`);
  expect(body).toMatchObject({
    helmReleaseDeleted: true,
    ociRepositoryKept: 'Flux still removes 1 HelmRelease(s) that reference it: leaving',
  });
  const { metadata } = await installing.cluster.admin.read(SOURCE);
  expect(metadata['deletionTimestamp']).toBeUndefined();
  const refused = {
    status: 409,
    body: { error: { message: expect.stringContaining('leaving is being deleted') as unknown } },
  };
  expect(await created('leaving', ['preset:full'])).toMatchObject(refused);
  expect(await rest('PATCH', `/${AGENTS}/leaving`, { toolset: ['preset:full'] })).toMatchObject(
    refused,
  );
  installing.flux.resume();
  await expect.poll(listed, POLLING).toEqual([]);
  expect((await created('leaving', ['preset:full'])).status).toBe(201);
  await expect.poll(() => toolsOf('leaving'), POLLING).toEqual(header('preset:full'));
});
