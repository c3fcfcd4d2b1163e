import { startTestCluster } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { launchGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

const GROUP = { group: 'gateway.internal', version: 'v1alpha1' } as const;
const KINDS = [
  { ...GROUP, kind: 'MCPServer', resource: 'mcpservers' },
  { ...GROUP, kind: 'Workflow', resource: 'workflows' },
];
const soon = <T>(read: () => T) => expect.poll(read, { interval: 50 });

it('serve --kubernetes starts without an API server, logs it, tries again, and is ready when the definitions were read', async () => {
  const { api, kubeconfig } = await startTestCluster({ kinds: KINDS, namespaces: ['agents'] });
  api.fault = (_request, response) => {
    response.destroy();
    return true;
  };
  const directory = testDirectory();
  directory.write('config.yaml', 'kubernetes:\n  namespaces: [agents]\n  namespace: agents\n');
  const gateway = await launchGateway(directory.path, {
    args: ['--kubernetes'],
    env: { KUBECONFIG: kubeconfig },
  });
  const readiness = async () => {
    const response = await fetch(new URL('/readyz', gateway.url));
    return [response.status, ((await response.json()) as { readonly status: string }).status];
  };
  const lists = () => api.requests.filter(({ resource }) => resource === 'mcpservers').length;

  await gateway.line((line) =>
    /"level":"error".*could not list mcpservers in namespace agents: the connection failed/u.test(
      line,
    ),
  );
  const before = lists();
  await soon(lists).toBeGreaterThan(before + 1);
  expect(await readiness()).toEqual([503, 'starting']);
  expect((await fetch(new URL('/healthz', gateway.url))).status).toBe(200);

  api.fault = undefined;
  await soon(readiness).toEqual([200, 'ready']);
  expect(gateway.stderr.join('\n')).not.toContain('token-of-the-test');
  expect(await gateway.stop('SIGTERM')).toEqual({ code: 0, signal: null });
});
