import { describe, expect, it } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import { eventually, failed, resultOf, running, viewOf } from './harness/downstream.ts';
import { useProgram } from './harness/feature-servers.ts';
import { remote } from './harness/http-connection.ts';
import { stdioFixture } from './harness/servers.ts';

type Define = () => McpServer | Promise<McpServer>;

const overHttp = (generation: string) => async (): Promise<McpServer> =>
  remote(await useProgram('sdk-http.mjs', generation), {}, 'sdk');
const overStdio =
  (script: string, ...args: string[]) =>
  (): McpServer =>
    stdioFixture('sdk', script, args);

const add = { server: 'sdk', tool: 'add', arguments: { a: 1, b: 2 } };
const SUM = { content: [{ type: 'text', text: '3' }], structuredContent: { sum: 3 } };

describe('a server of either era', () => {
  it.each<[string, Define, string]>([
    ['generation 1 over stdio', overStdio('gen1-stdio.mjs'), '2025-11-25'],
    ['generation 2 over stdio', overStdio('gen2-stdio.mjs'), '2026-07-28'],
    ['2026-07-28 only over stdio', overStdio('gen2-stdio.mjs', '--modern-only'), '2026-07-28'],
    ['generation 1 over HTTP with sessions', overHttp('gen1'), '2025-11-25'],
    ['generation 2 over HTTP', overHttp('gen2'), '2026-07-28'],
    ['2026-07-28 only over HTTP', overHttp('gen2-modern-only'), '2026-07-28'],
  ])('is served: %s', async (_name, define, protocolVersion) => {
    const { downstream } = await running([await define()]);
    expect(viewOf(downstream, 'sdk')).toMatchObject({ protocolVersion });
    const tool = downstream.inventories()[0]?.tools.find(({ name }) => name === 'add');
    expect(tool?.annotations).toEqual({ readOnlyHint: true });
    expect(resultOf(await downstream.callTool(add))).toMatchObject(SUM);
  });

  it('comes back in the era it was found in', async () => {
    const { downstream } = await running([overStdio('gen1-stdio.mjs')()]);
    expect(await downstream.restart('sdk')).toEqual({ code: 'restarted', server: 'sdk' });
    expect(viewOf(downstream, 'sdk')).toMatchObject({ protocolVersion: '2025-11-25' });
  });
});

it.each<[string, Define]>([
  ['2025-11-25', overStdio('gen1-stdio.mjs')],
  ['2026-07-28', overStdio('gen2-stdio.mjs')],
  ['2025-11-25 over HTTP', overHttp('gen1')],
])('list_changed lists the tools again in %s', async (_era, define) => {
  const { downstream } = await running([await define()]);
  const before = viewOf(downstream, 'sdk').toolsCount;
  await downstream.callTool({ server: 'sdk', tool: 'grow', arguments: {} });
  const isListed = () => viewOf(downstream, 'sdk').toolsCount === before + 1;
  await eventually('the new tool is there', isListed);
});

it.each<[string, Define]>([
  ['stdio', overStdio('gen2-stdio.mjs')],
  ['HTTP', overHttp('gen2')],
])('cancellation reaches a 2026-07-28 server over %s', async (_transport, define) => {
  const { downstream } = await running([await define()]);
  const controller = new AbortController();
  const wait = { server: 'sdk', tool: 'wait', arguments: {} };
  const outcome = downstream.callTool(wait, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  expect(await outcome).toEqual(failed('request.cancelled', {}, 'sdk'));
  expect((await downstream.callTool(add)).ok).toBe(true);
});

it('calls a server of generation 1 that has forgotten its sessions', async () => {
  const url = await useProgram('sdk-http.mjs', 'gen1');
  const { downstream } = await running([remote(url, {}, 'sdk')]);
  expect(resultOf(await downstream.callTool(add))).toMatchObject(SUM);
  await fetch(url, { method: 'PURGE' });
  expect(resultOf(await downstream.callTool(add))).toMatchObject(SUM);
});
