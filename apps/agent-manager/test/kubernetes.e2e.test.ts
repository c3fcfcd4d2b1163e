import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { startTestCluster } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { overRest } from './harness/transports.ts';
import { startProcess } from './harness/service-process.ts';

const CLI = resolve(import.meta.dirname, '../dist/cli.js');
const TOKEN = 'token-of-the-file';

it('the built program stores agents in a cluster, with the token of a file', async () => {
  const cluster = await startTestCluster({ users: new Map([[TOKEN, 'agent-manager']]) });
  cluster.api.apply({
    ...{ apiVersion: 'kagent.dev/v1alpha2', kind: 'ModelConfig' },
    metadata: { name: 'small', namespace: 'default' },
  });
  const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as object;
  const kubeconfig = join(dirname(cluster.kubeconfig), 'with-file');
  const users = [{ name: 'test', user: { tokenFile: 'token' } }];
  writeFileSync(kubeconfig, JSON.stringify({ ...config, users }));
  writeFileSync(join(dirname(kubeconfig), 'token'), `${TOKEN}\n`);

  const service = await startProcess(CLI, { kubeconfig });
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
