import { ANONYMOUS, createPrincipal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { formatClientName } from '../src/calls/callers.ts';
import { createHeaderReader } from '../src/protocol/client-message.ts';
import { start } from './endpoint.ts';
import { call } from './wire-client.ts';

const noHeader = () => undefined;

const openSession = async ({ startSession }: Awaited<ReturnType<typeof start>>) =>
  (await startSession())['mcp-session-id'];

describe('the name of a client', () => {
  it('is its session, or its program where the caller is on this machine; the identity is the session or retains nothing', async () => {
    const endpoint = await start();
    const { post, postModern, interactive, untilWaiting } = endpoint;
    const session = await openSession(endpoint);
    const info = { 'io.modelcontextprotocol/clientInfo': { name: 'desk', version: '1' } };
    const running = [
      post(call('wait'), { 'mcp-session-id': session }),
      post(call('wait')),
      post(call('wait')),
      postModern('tools/call', { name: 'wait', _meta: info }),
    ];
    await untilWaiting(running.length);
    const callers = interactive.waiting.map(({ caller }) => caller);
    const program = '["127.0.0.1","desk","1"]';
    expect(new Set(callers.map(({ client }) => client))).toEqual(
      new Set([`session:${session}`, undefined, program]),
    );
    expect(callers.map(({ user }) => user)).toEqual(Array(4).fill('127.0.0.1'));
    const identities = callers.map(({ identity }) => identity);
    expect(identities.filter((one) => typeof one === 'string')).toEqual([session]);
    expect(identities.filter((one) => typeof one === 'object')).toEqual([{}, {}, {}]);
    expect(new Set(identities).size).toBe(4);
    for (const [at, caller] of callers.entries()) expect(caller.identity).toBe(identities[at]);
    interactive.release();
    await Promise.all(running);
  });

  it('is reported with the end of its session', async () => {
    const ended: string[] = [];
    const endpoint = await start({
      change: (service) => ({ ...service, clientEnded: (client) => void ended.push(client) }),
    });
    const [first, second] = [await openSession(endpoint), await openSession(endpoint)];
    const headers = { 'mcp-session-id': first };
    expect((await fetch(endpoint.url, { method: 'DELETE', headers })).ok).toBe(true);
    expect(ended).toEqual([`session:${first}`]);
    await endpoint.drain(0);
    expect(ended).toEqual([`session:${first}`, `session:${second}`]);
  });

  it.each([
    ['127.0.0.1', { name: 'desk', version: '1' }, '["127.0.0.1","desk","1"]'],
    ['0:0:0:0::/64', { name: 'desk', version: '1' }, '["0:0:0:0::/64","desk","1"]'],
    ['192.0.2.7', { name: 'desk', version: '1' }, undefined],
    [undefined, { name: 'desk', version: '1' }, undefined],
    ['127.0.0.1', { name: 'desk' }, undefined],
    ['127.0.0.1', { name: 'd'.repeat(257), version: '1' }, undefined],
    ['127.0.0.1', undefined, undefined],
  ])('of a caller at %s without a sign-in, %j: %s', (callerKey, info, name) => {
    expect(formatClientName({ principal: ANONYMOUS, callerKey, header: noHeader }, info)).toBe(
      name,
    );
  });

  it.each(['Forwarded', 'X-Forwarded-For', 'X-Real-IP', 'Via'])(
    'is absent for a caller whom a proxy on this machine names in %s',
    (name) => {
      const header = createHeaderReader({ rawHeaders: [name, '192.0.2.7'] });
      const call = { principal: ANONYMOUS, callerKey: '127.0.0.1', header };
      expect(formatClientName(call, { name: 'desk', version: '1' })).toBeUndefined();
    },
  );

  it('is the user and the program of a caller who has signed in, at any address', () => {
    const principal = createPrincipal({ issuer: 'https://idp.example', subject: 'ann' });
    const info = { name: 'desk', version: '1' };
    const name = formatClientName({ principal, callerKey: '192.0.2.7', header: noHeader }, info);
    expect(name).toBe(JSON.stringify([principal.key, 'desk', '1']));
  });
});
