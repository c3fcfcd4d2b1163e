import { describe, expect, it } from 'vitest';
import type { Downstream, DownstreamOutcome } from '../src/index.ts';
import { eventually, resultOf, testDownstream, viewOf } from './harness/downstream.ts';
import { hubUser } from './harness/hub.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const started = async (server: ReturnType<typeof defineServer>): Promise<Downstream> => {
  const { downstream } = testDownstream();
  downstream.apply([server]);
  await downstream.settled();
  return downstream;
};

const call = (downstream: Downstream, tool: string): Promise<DownstreamOutcome> =>
  downstream.callTool({ server: 'raw', tool, arguments: {} });

describe('remote servers of a hub', () => {
  it('receive requests over a connection of the user, opened once and without reading lists', async () => {
    const http = await startRawHttp({ tools: 2, protocolVersion: '2025-11-25' });
    const downstream = await started(
      defineServer('raw', { type: 'streamable-http', url: http.url }),
    );
    const { user, channel } = hubUser(downstream);
    await user.settled();
    const methods = (): string[] => http.mcp.seen.map(({ method }) => method);
    const before = methods().length;
    const [one, two] = await Promise.all([call(user, 'params'), call(user, 'params')]);
    expect(resultOf(one)).toEqual(resultOf(two));
    expect(methods().slice(before)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'tools/call',
    ]);
    expect(channel.sent.toHub).not.toContain('request');
    await user.stop('raw');
    expect(await call(user, 'params')).toMatchObject({
      error: { code: 'server.not-connected', state: 'Disconnected' },
    });
    await user.start('raw');
    expect(await call(user, 'params')).toMatchObject({ ok: true });
  });

  it('that become unreachable are verified, and reconnect', async () => {
    const http = await startRawHttp({ protocolVersion: '2025-11-25' });
    const server = defineServer('raw', { type: 'streamable-http', url: http.url });
    const { user } = hubUser(await started(server));
    await user.settled();
    await call(user, 'params');
    await http.close();
    expect(await call(user, 'params')).toMatchObject({ error: { code: 'server.connection-lost' } });
    await eventually('the owner knows', () => viewOf(user, 'raw').state === 'Failed');
    await startRawHttp({ protocolVersion: '2025-11-25', port: http.port });
    await eventually('it is back', () => viewOf(user, 'raw').state === 'Connected');
    expect(await call(user, 'params')).toMatchObject({ ok: true });
  });

  it('that require a sign-in report it', async () => {
    const http = await startRawHttp({ protocolVersion: '2025-11-25' });
    const server = defineServer('raw', { type: 'streamable-http', url: http.url });
    const { user } = hubUser(await started(server));
    await user.settled();
    http.setIntercept((_request, response) => {
      response.writeHead(401).end();
      return true;
    });
    expect(await call(user, 'params')).toEqual({
      ok: false,
      error: { code: 'server.auth-required', server: 'raw' },
    });
    await eventually('the owner knows', () => user.stateOf('raw') === 'Auth Required');
  });
});
