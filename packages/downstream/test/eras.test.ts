import { describe, expect, it } from 'vitest';
import { eventually, resultOf, testDownstream, viewOf } from './harness/downstream.ts';
import { startSdkHttp } from './harness/sdk-http.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

const overHttp = async (generation: string) =>
  defineServer('sdk', { type: 'streamable-http', url: await startSdkHttp(generation) });
const overStdio = (script: string, ...args: string[]) => stdioFixture('sdk', script, args);

describe('a server of either era', () => {
  it.each([
    ['generation 1 over stdio', () => overStdio('gen1-stdio.mjs'), '2025-11-25'],
    ['generation 2 over stdio', () => overStdio('gen2-stdio.mjs'), '2026-07-28'],
    [
      'generation 2 over stdio, 2026-07-28 only',
      () => overStdio('gen2-stdio.mjs', '--modern-only'),
      '2026-07-28',
    ],
    ['generation 1 over HTTP with sessions', () => overHttp('gen1'), '2025-11-25'],
    ['generation 2 over HTTP', () => overHttp('gen2'), '2026-07-28'],
    ['generation 2 over HTTP, 2026-07-28 only', () => overHttp('gen2-modern-only'), '2026-07-28'],
  ])('is served: %s', async (_name, define, version) => {
    const { downstream } = testDownstream();
    downstream.apply([await define()]);
    await downstream.settled();
    expect(viewOf(downstream, 'sdk')).toMatchObject({ protocolVersion: version });
    const add = downstream.inventories()[0]?.tools.find(({ name }) => name === 'add');
    expect(add?.annotations).toEqual({ readOnlyHint: true });
    const outcome = await downstream.callTool({
      server: 'sdk',
      tool: 'add',
      arguments: { a: 1, b: 2 },
    });
    expect(resultOf(outcome)).toMatchObject({
      content: [{ type: 'text', text: '3' }],
      structuredContent: { sum: 3 },
    });
  });

  it('comes back in the era it was found in', async () => {
    const { downstream } = testDownstream();
    downstream.apply([overStdio('gen1-stdio.mjs')]);
    await downstream.settled();
    expect(await downstream.restart('sdk')).toEqual({ code: 'restarted', server: 'sdk' });
    expect(viewOf(downstream, 'sdk')).toMatchObject({ protocolVersion: '2025-11-25' });
  });
});

describe('list_changed', () => {
  it.each([
    ['2025-11-25', () => overStdio('gen1-stdio.mjs')],
    ['2026-07-28', () => overStdio('gen2-stdio.mjs')],
    ['2025-11-25 over HTTP', () => overHttp('gen1')],
  ])('lists the tools again in %s', async (_era, define) => {
    const { downstream } = testDownstream();
    downstream.apply([await define()]);
    await downstream.settled();
    const before = viewOf(downstream, 'sdk').toolsCount;
    await downstream.callTool({ server: 'sdk', tool: 'grow', arguments: {} });
    await eventually(
      'the new tool is there',
      () => viewOf(downstream, 'sdk').toolsCount === before + 1,
    );
  });
});

describe('cancellation', () => {
  it.each([
    ['stdio', () => overStdio('gen2-stdio.mjs')],
    ['HTTP', () => overHttp('gen2')],
  ])('reaches a 2026-07-28 server over %s', async (_transport, define) => {
    const { downstream } = testDownstream();
    downstream.apply([await define()]);
    await downstream.settled();
    const controller = new AbortController();
    const call = downstream.callTool(
      { server: 'sdk', tool: 'wait', arguments: {} },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 50);
    expect(await call).toEqual({ ok: false, error: { code: 'request.cancelled', server: 'sdk' } });
    expect(
      (await downstream.callTool({ server: 'sdk', tool: 'add', arguments: { a: 2, b: 2 } })).ok,
    ).toBe(true);
  });
});

it('calls a server of generation 1 that has forgotten its sessions', async () => {
  const url = await startSdkHttp('gen1');
  const { downstream } = testDownstream();
  downstream.apply([defineServer('sdk', { type: 'streamable-http', url })]);
  await downstream.settled();
  const add = { server: 'sdk', tool: 'add', arguments: { a: 1, b: 2 } };
  expect(resultOf(await downstream.callTool(add))).toMatchObject({ structuredContent: { sum: 3 } });
  await fetch(url, { method: 'PURGE' });
  expect(resultOf(await downstream.callTool(add))).toMatchObject({ structuredContent: { sum: 3 } });
});
