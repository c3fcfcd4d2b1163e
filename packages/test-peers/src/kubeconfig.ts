import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Returns a kubeconfig with one cluster and one user, as JSON, which is YAML. */
export const formatKubeconfig = (
  server: string,
  user: object = { token: 'token-of-the-test' },
  cluster: object = { 'insecure-skip-tls-verify': true },
): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server, ...cluster } }],
    users: [{ name: 'test', user }],
  });

/** Creates a directory that the end of the test removes. */
export const createTestDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'kubernetes-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
};
