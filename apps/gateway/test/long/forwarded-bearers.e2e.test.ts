import { retryAssertion } from '@gateway/repo-checks';
import { startProtectedServer, startProvider, computeTokenHash } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { startGateway } from '../harness/gateway.ts';
import { closing, testDirectory } from '../harness/lifetime.ts';
import { postMessage, toolCallOf } from '../harness/mcp-posts.ts';

/** A gateway in mode `resource-server`, which forwards the bearers of its callers to the server `notes`. */
const started = async (audiences: readonly string[] = ['notes']) => {
  const provider = await closing(startProvider());
  const notes = await closing(
    startProtectedServer({ issuers: [provider.issuer], audiences: ['notes'] }),
  );
  const directory = testDirectory();
  const issuer = { issuer: provider.issuer, forwardable: true, audiences };
  directory.config({
    http: { publicUrl: 'https://gateway.example.com' },
    auth: { mode: 'resource-server', issuers: [issuer] },
  });
  directory.server('notes', {
    ...{ type: 'streamable-http', url: notes.url, autoStart: true },
    auth: { forwardToken: true, requiredAudiences: ['notes'] },
  });
  const gateway = await startGateway(directory.path);
  const tokenOf = (sub: string, claims: object = {}): Promise<string> =>
    provider.sign({ sub, aud: ['notes'], scope: 'mcp:read', ...claims });
  const whoami = async (token: string): Promise<string> => {
    const call = toolCallOf('x_notes_whoami');
    const headers = { authorization: `Bearer ${token}` };
    return (await postMessage(gateway.url, call, { headers })).text;
  };
  return { gateway, notes, whoami, tokenOf };
};

it('forwards the bearer of the user who calls', async () => {
  const { whoami, tokenOf, notes, gateway } = await started();
  const [ada, ben] = [await tokenOf('ada'), await tokenOf('ben')];
  expect(await whoami(ada)).toContain('\\"ada\\"');
  expect(await whoami(ben)).toContain('\\"ben\\"');
  expect(await whoami(ada)).toContain('\\"ada\\"');
  const calls = notes.calls('whoami').map(({ subject, tokenHash: hash }) => [subject, hash]);
  expect(calls).toEqual([
    ['ada', computeTokenHash(ada)],
    ['ben', computeTokenHash(ben)],
    ['ada', computeTokenHash(ada)],
  ]);
  for (const token of [ada, ben]) expect(gateway.stderr.join('\n')).not.toContain(token);
});

it('uses the newer bearer of a user, also for calls with an older one', async () => {
  const { whoami, tokenOf, notes } = await started();
  const old = await tokenOf('ada', { exp: Math.floor(Date.now() / 1000) + 60 });
  expect(await whoami(old)).toContain('\\"ada\\"');
  notes.rejectNext(1, { tool: 'whoami' });
  const renewed = await tokenOf('ada', { jti: 'renewed' });
  expect(await whoami(renewed)).toContain('\\"ada\\"');
  expect(notes.calls('whoami').at(-1)?.tokenHash).toBe(computeTokenHash(renewed));
  expect(await whoami(old)).toContain('\\"ada\\"');
  expect(notes.calls('whoami').at(-1)?.tokenHash).toBe(computeTokenHash(renewed));
});

it('connects a user whose next bearer has the audience that the first one lacked', async () => {
  const { whoami, tokenOf } = await started(['notes', 'gateway']);
  const lacking = await tokenOf('ada', { aud: ['gateway'] });
  expect(await whoami(lacking)).toContain('Tool not found: x_notes_whoami');
  const complete = await tokenOf('ada', { exp: Math.floor(Date.now() / 1000) + 900 });
  await retryAssertion(async () => {
    expect(await whoami(complete)).toContain('\\"ada\\"');
  });
});
