import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMcpHttp,
  serveHttp,
  type HttpServing,
  type McpService,
  type ServiceCapabilities,
} from '../src/index.ts';
import { openSession, post, postModern, rpc } from './wire-client.ts';

/** A service whose capabilities change while it is served. */
let capabilities: ServiceCapabilities = { tools: {} };
const service: McpService = {
  info: { name: 'growing', version: '1.0.0' },
  get capabilities() {
    return capabilities;
  },
  list: () => ({ ok: true, items: [] }),
  call: ({ method }) =>
    method === 'completion/complete'
      ? { ok: true, result: { completion: { values: ['whole'] } } }
      : {
          ok: false,
          error: {
            code: -32_021,
            message: 'Missing capability',
            data: { requiredCapabilities: { sampling: {} } },
          },
        },
  subscribe: () => Promise.resolve({ ok: true, end: () => undefined }),
};

let serving: HttpServing;
let url: string;
beforeAll(async () => {
  serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp: createMcpHttp(service) });
  url = `${serving.url}/mcp`;
});
afterAll(() => serving.drain(0));

const COMPLETE = { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'b', value: 'w' } };

const outcomes = async () => {
  const session = { 'mcp-session-id': await openSession(url) };
  const ask = async (method: string, params: object) => {
    const { json } = await post(url, rpc(method, params), session);
    return (json.error?.code as number | undefined) ?? 'served';
  };
  return [
    await ask('completion/complete', COMPLETE),
    await ask('logging/setLevel', { level: 'info' }),
    await ask('resources/subscribe', { uri: 'file:///a' }),
    await ask('resources/unsubscribe', { uri: 'file:///a' }),
    (await postModern(url, 'completion/complete', COMPLETE)).status,
  ];
};

describe('the capabilities of a service', () => {
  it('is served and declared from the moment it can, and no longer', async () => {
    expect(await outcomes()).toEqual([-32_601, -32_601, -32_601, -32_601, 404]);
    capabilities = { tools: {}, completions: {}, logging: {}, resources: { subscribe: true } };
    expect(await outcomes()).toEqual(['served', 'served', 'served', 'served', 200]);
    expect((await postModern(url, 'server/discover')).json.result.capabilities).toEqual({
      tools: {},
      completions: {},
      logging: {},
      resources: { subscribe: true },
    });
    capabilities = { tools: {} };
    expect(await outcomes()).toEqual([-32_601, -32_601, -32_601, -32_601, 404]);
  });
});

describe('a call that needs more of the client than it declared', () => {
  const params = { name: 'sampling', arguments: {} };
  const error = {
    code: -32_021,
    message: 'Missing capability',
    data: { requiredCapabilities: { sampling: {} } },
  };

  it('is answered with 400 for 2026-07-28', async () => {
    const { status, json } = await postModern(url, 'tools/call', params);
    expect({ status, error: json.error }).toEqual({ status: 400, error });
  });

  it('is an error like another for earlier revisions', async () => {
    const { status, json } = await post(url, rpc('tools/call', params));
    expect({ status, error: json.error }).toEqual({ status: 200, error });
  });
});
