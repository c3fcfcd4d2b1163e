import { retryAssertion } from '@gateway/repo-checks';
import { startProtectedServer, startProvider } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { startSignInGateway } from '../sign-in/gateway-harness.ts';
import { statusOf, toolsOf, whoami } from '../sign-in/signed-in-user.ts';

/** A gateway that forwards the bearers of its callers to two servers. */
const started = async () => {
  const provider = await startProvider();
  const trusted = { issuers: [provider.issuer], audiences: ['notes'] };
  const [fast, slow] = [await startProtectedServer(trusted), await startProtectedServer(trusted)];
  const auth = { type: 'oauth', forwardToken: true };
  const gateway = await startSignInGateway({
    servers: { fast: { url: fast.url, auth }, slow: { url: slow.url, auth } },
    config: {
      http: { publicUrl: 'https://gateway.test' },
      auth: {
        mode: 'resource-server',
        allowPrivate: true,
        issuers: [{ issuer: provider.issuer, audiences: ['notes'], forwardable: true }],
      },
    },
  });
  onTestFinished(async () => {
    await gateway.close();
    await Promise.all([fast.close(), slow.close(), provider.close()]);
  });
  const bearerOf = (sub: string) => provider.sign({ sub, aud: 'notes', scope: 'mcp:read' });
  return { gateway, slow, bearerOf };
};

it('a server that does not answer is sso_pending after 15 seconds, while another one is connected, and failed when the attempt ends', async () => {
  const { gateway, slow, bearerOf } = await started();
  const ben = await bearerOf('ben');
  expect(await toolsOf(gateway, ben)).toContain('x_slow_whoami');
  slow.setFault(() => 'hang');
  const ada = await bearerOf('ada');
  const before = performance.now();
  const tools = await toolsOf(gateway, ada);
  expect(performance.now() - before).toBeGreaterThan(14_000);
  expect(tools).toContain('x_fast_whoami');
  expect(tools).not.toContain('x_slow_whoami');
  expect(await statusOf(gateway, ada)).toEqual([
    { name: 'fast', status: 'connected', token_forwarding_enabled: true },
    { name: 'slow', status: 'sso_pending', token_forwarding_enabled: true },
  ]);
  expect(await statusOf(gateway, ben)).toMatchObject([
    { status: 'connected' },
    { status: 'connected' },
  ]);
  await retryAssertion(async () => {
    expect(await statusOf(gateway, ada)).toMatchObject([
      { name: 'fast', status: 'connected' },
      { name: 'slow', status: 'failed', sso_attempt_failed: true },
    ]);
  });
  expect((await whoami(gateway, ada, 'fast')).text).toContain('"ada"');
});
