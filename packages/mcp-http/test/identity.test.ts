import { ANONYMOUS, createPrincipal } from '@gateway/call-contract';
import { afterEach, describe, expect, it } from 'vitest';
import { formatClientName } from '../src/calls/callers.ts';
import { createHeaderReader } from '../src/protocol/client-message.ts';
import { interactiveEndpoints } from './interactive-endpoint.ts';
import { call, openSession, post, postModern, until } from './wire-client.ts';

const noHeader = () => undefined;

const { start, end } = interactiveEndpoints();
afterEach(end);

describe('the name of a client', () => {
  it('is its session, or its program where the caller is on this machine', async () => {
    const endpoint = await start();
    const session = await openSession(endpoint.url);
    const { waiting } = endpoint.interactive;
    const info = { 'io.modelcontextprotocol/clientInfo': { name: 'desk', version: '1' } };
    const running = [
      post(endpoint.url, call('wait'), { 'mcp-session-id': session }),
      post(endpoint.url, call('wait')),
      postModern(endpoint.url, 'tools/call', { name: 'wait', _meta: info }),
    ];
    await until(() => waiting.length === running.length);
    const names = waiting.map(({ caller }) => caller.client);
    expect(new Set(names)).toEqual(
      new Set([`session:${session}`, undefined, '["127.0.0.1","desk","1"]']),
    );
    expect(waiting.map(({ caller }) => caller.user)).toEqual(Array(3).fill('127.0.0.1'));
    endpoint.interactive.release();
    await Promise.all(running);
  });

  it('is reported with the end of its session', async () => {
    const ended: string[] = [];
    const endpoint = await start({
      change: (service) => ({ ...service, clientEnded: (client) => void ended.push(client) }),
    });
    const [first, second] = [await openSession(endpoint.url), await openSession(endpoint.url)];
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

describe('the identity of a caller', () => {
  it('is the session, and without one a distinct object that retains nothing of the call', async () => {
    const endpoint = await start();
    const session = await openSession(endpoint.url);
    const { waiting } = endpoint.interactive;
    const running = [
      post(endpoint.url, call('wait'), { 'mcp-session-id': session }),
      post(endpoint.url, call('wait')),
      post(endpoint.url, call('wait')),
      postModern(endpoint.url, 'tools/call', { name: 'wait' }),
    ];
    await until(() => waiting.length === running.length);
    const identities = waiting.map(({ caller }) => caller.identity);
    expect(identities.filter((one) => typeof one === 'string')).toEqual([session]);
    const objects = identities.filter((one) => typeof one === 'object');
    expect(objects).toEqual([{}, {}, {}]);
    expect(new Set(identities).size).toBe(4);
    expect(waiting.map(({ caller }) => caller.identity)).toEqual(identities);
    for (const [at, { caller }] of waiting.entries()) expect(caller.identity).toBe(identities[at]);
    endpoint.interactive.release();
    await Promise.all(running);
  });
});
