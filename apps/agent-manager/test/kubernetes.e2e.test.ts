import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { overRest } from './harness/transports.ts';
import { ObjectApi } from './harness/object-api.ts';
import { startProcess } from './harness/service-process.ts';

const CLI = resolve(import.meta.dirname, '../dist/cli.js');
const TOKEN = 'token-of-the-test';

/** A kubeconfig for a cluster that takes the token of a file. */
async function kubeconfigOfCluster(): Promise<string> {
  const api = new ObjectApi(TOKEN);
  api.keep('/apis/kagent.dev/v1alpha2/namespaces/default/modelconfigs/small', {
    metadata: { name: 'small', namespace: 'default' },
  });
  const server = await api.listen();
  const directory = mkdtempSync(join(tmpdir(), 'agent-manager-'));
  onTestFinished(() => {
    api.close();
    rmSync(directory, { recursive: true });
  });
  writeFileSync(join(directory, 'token'), `${TOKEN}\n`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: { tokenFile: 'token' } }],
  };
  writeFileSync(join(directory, 'config'), JSON.stringify(config));
  return join(directory, 'config');
}

it('the built program stores agents in a cluster, with the token of a file', async () => {
  const service = await startProcess(CLI, { kubeconfig: await kubeconfigOfCluster() });
  const { url } = service;
  const agent = { name: 'sre', modelConfig: 'small', toolset: ['preset:none'] };
  expect((await overRest(url, 'create_agent', agent)).status).toBe(201);
  expect((await overRest(url, 'create_agent', agent)).status).toBe(409);
  const changed = await overRest(url, 'update_agent', { name: 'sre', description: 'Watches' });
  expect(changed.body).toMatchObject({ changed: ['agent.description'] });
  expect((await overRest(url, 'get_agent', { name: 'sre' })).body).toMatchObject({
    description: 'Watches',
    managed: 'helmrelease',
  });
  expect((await overRest(url, 'delete_agent', { name: 'sre' })).body).toMatchObject({
    helmReleaseDeleted: true,
    ociRepositoryDeleted: true,
  });
  expect((await overRest(url, 'get_agent', { name: 'sre' })).status).toBe(404);
  expect(await service.stop('SIGTERM')).toBe(0);
  expect(service.stderr()).not.toContain(TOKEN);
});
