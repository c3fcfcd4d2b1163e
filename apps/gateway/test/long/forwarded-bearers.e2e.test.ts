import { text as textOfStream } from 'node:stream/consumers';
import { configDirectory, eventually } from '@gateway/repo-checks';
import { startProtectedServer, startProvider, tokenHash } from '@gateway/test-identity';
import { expect, it, onTestFinished } from 'vitest';
import { connectionsToAll, type PinnedConnection } from '../harness/connection-owner.ts';
import { startGateway } from '../harness/gateway.ts';
import { descendantsOf } from '../harness/living-process.ts';

/** A gateway with two workers, in mode `resource-server`, which forwards the bearers of its callers to the server `notes`. */
const started = async (audiences: readonly string[] = ['notes']) => {
  const provider = await startProvider();
  const notes = await startProtectedServer({ issuers: [provider.issuer], audiences: ['notes'] });
  const directory = configDirectory();
  const issuer = { issuer: provider.issuer, forwardable: true, audiences };
  directory.config({ auth: { mode: 'resource-server', issuers: [issuer] } });
  directory.server('notes', {
    ...{ type: 'streamable-http', url: notes.url, autoStart: true },
    auth: { forwardToken: true, requiredAudiences: ['notes'] },
  });
  const gateway = await startGateway(directory.path, { args: ['--workers', '2'] });
  const workers = await connectionsToAll(gateway.url, descendantsOf(gateway.child.pid ?? 0));
  onTestFinished(async () => {
    for (const worker of workers) worker.close();
    await gateway.stop();
    await Promise.all([notes.close(), provider.close()]);
    directory.remove();
  });
  const tokenOf = (sub: string, claims: object = {}): Promise<string> =>
    provider.sign({ sub, aud: ['notes'], scope: 'mcp:read', ...claims });
  return { gateway, notes, workers, tokenOf };
};

const whoami = async (worker: PinnedConnection, token: string): Promise<string> => {
  const params = { name: 'call_tool', arguments: { name: 'x_notes_whoami' } };
  const response = await worker.send({
    headers: { authorization: `Bearer ${token}` },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  return textOfStream(response);
};

it('two workers forward the bearer of the person who calls, whichever worker received it', async () => {
  const { workers, tokenOf, notes, gateway } = await started();
  const [first, second] = workers;
  if (first === undefined || second === undefined) throw new Error('no worker');
  const [ada, ben] = [await tokenOf('ada'), await tokenOf('ben')];
  expect(await whoami(first, ada)).toContain('\\"ada\\"');
  expect(await whoami(second, ben)).toContain('\\"ben\\"');
  expect(await whoami(second, ada)).toContain('\\"ada\\"');
  expect(await whoami(first, ben)).toContain('\\"ben\\"');
  const calls = notes.calls('whoami').map(({ subject, tokenHash: hash }) => [subject, hash]);
  expect(calls).toEqual([
    ['ada', tokenHash(ada)],
    ['ben', tokenHash(ben)],
    ['ada', tokenHash(ada)],
    ['ben', tokenHash(ben)],
  ]);
  for (const token of [ada, ben]) expect(gateway.stderr.join('\n')).not.toContain(token);
});

it('two workers use the newer bearer of a person, also when the other worker received it', async () => {
  const { workers, tokenOf, notes } = await started();
  const [first, second] = workers;
  if (first === undefined || second === undefined) throw new Error('no worker');
  const old = await tokenOf('ada', { exp: Math.floor(Date.now() / 1000) + 60 });
  expect(await whoami(first, old)).toContain('\\"ada\\"');
  notes.rejectNext(1, { tool: 'whoami' });
  const renewed = await tokenOf('ada', { jti: 'renewed' });
  expect(await whoami(second, renewed)).toContain('\\"ada\\"');
  expect(notes.calls('whoami').at(-1)?.tokenHash).toBe(tokenHash(renewed));
  // The first worker knows the old bearer only; the newer one is used for its calls too.
  expect(await whoami(first, old)).toContain('\\"ada\\"');
  expect(notes.calls('whoami').at(-1)?.tokenHash).toBe(tokenHash(renewed));
});

it('two workers connect a person whose next bearer has the audience that the first one lacked', async () => {
  const { workers, tokenOf } = await started(['notes', 'gateway']);
  const [first, second] = workers;
  if (first === undefined || second === undefined) throw new Error('no worker');
  const lacking = await tokenOf('ada', { aud: ['gateway'] });
  for (const worker of workers)
    expect(await whoami(worker, lacking)).toContain('Tool not found: x_notes_whoami');
  const complete = await tokenOf('ada', { exp: Math.floor(Date.now() / 1000) + 900 });
  await eventually(async () => {
    expect(await whoami(second, complete)).toContain('\\"ada\\"');
  });
  expect(await whoami(first, complete)).toContain('\\"ada\\"');
});
