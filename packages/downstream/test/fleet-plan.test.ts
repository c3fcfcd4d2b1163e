import { describe, expect, it } from 'vitest';
import { applyStopRequest, type McpServer } from '@gateway/crd-schemas';
import { planFleet, canAutoStart } from '../src/connections/fleet.ts';
import { defineServer } from './harness/servers.ts';

const remote = (spec: Readonly<Record<string, unknown>> = {}): McpServer =>
  defineServer('a', { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp', ...spec });
const present = (...servers: readonly McpServer[]) =>
  new Map(servers.map((server) => [server.metadata.name, server]));

describe('the plan', () => {
  it('is empty when all is as desired', () => {
    expect(planFleet([remote()], present(remote()))).toEqual({ add: [], remove: [], update: [] });
  });

  it('adds what is missing and removes what is too much', () => {
    const b = defineServer('b', { type: 'stdio', command: 'b' });
    expect(planFleet([b], present(remote()))).toEqual({ add: [b], remove: ['a'], update: [] });
  });

  it.each([
    ['url', { url: 'http://127.0.0.1:2/mcp' }, true],
    ['headers', { headers: { A: 'b' } }, true],
    ['auth', { auth: { type: 'oauth' } }, true],
    ['type', { type: 'sse' }, true],
    ['env, of which a remote server has no use', { env: { A: 'b' } }, false],
    ['timeout', { timeout: 5 }, false],
    ['description', { description: 'x' }, false],
    ['toolPrefix', { toolPrefix: 'x' }, false],
    ['family', { family: { name: 'f', instanceArg: 'i' } }, false],
  ])('for a new %s decides whether to reconnect', (_what, change, reconnect) => {
    const server = remote(change);
    expect(planFleet([server], present(remote())).update).toEqual([
      { server, reconnect, start: false, stop: false },
    ]);
  });

  it('starts a server whose autoStart is switched on', () => {
    const server = remote();
    expect(planFleet([server], present(remote({ autoStart: false }))).update).toEqual([
      { server, reconnect: false, start: true, stop: false },
    ]);
  });

  it('stops a server on request, and starts it when the request has ended', () => {
    const running = remote();
    const stopped = applyStopRequest(running, true);
    expect(planFleet([stopped], present(running)).update).toEqual([
      { server: stopped, reconnect: false, start: false, stop: true },
    ]);
    expect(planFleet([running], present(stopped)).update).toEqual([
      { server: running, reconnect: false, start: true, stop: false },
    ]);
  });

  it('does not start a stopped server whose autoStart is switched on', () => {
    const before = applyStopRequest(remote({ autoStart: false }), true);
    const after = applyStopRequest(remote(), true);
    expect(planFleet([after], present(before)).update).toMatchObject([{ start: false }]);
    expect([canAutoStart(after), canAutoStart(remote())]).toEqual([false, true]);
  });

  it('takes the first of two servers with one name', () => {
    const first = remote({ description: 'first' });
    expect(planFleet([first, remote()], new Map()).add).toEqual([first]);
  });
});
