import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AgentManagerClient,
  createAgentManagerClient,
} from '../../src/client/create-agent-manager-client.ts';
import { createBodySchema, serving } from './http-server.ts';

interface Seen {
  readonly line: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What the server was asked by one call; it refuses everything. */
const asked = async (
  call: (client: AgentManagerClient) => Promise<unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Seen | undefined> => {
  let seen: Seen | undefined;
  const baseUrl = await serving((request, response) => {
    void createBodySchema(request).then((body) => {
      seen = { line: `${request.method} ${request.url}`, body, headers: request.headers };
      response.writeHead(404).end('{"error":{"code":"not_found","message":"not found: x"}}');
    });
  });
  await call(createAgentManagerClient({ baseUrl, headers }));
  return seen;
};

describe('a request of the client', () => {
  const ONE = { namespace: 'team', name: 'sre' };
  it.each<[string, (client: AgentManagerClient) => Promise<unknown>]>([
    ['GET /api/v1/info', (client) => client.getInfo()],
    ['GET /api/v1/agents', (client) => client.listAgents()],
    ['GET /api/v1/agents?namespace=team', (client) => client.listAgents({ namespace: 'team' })],
    ['GET /api/v1/agents/team/sre', (client) => client.getAgent(ONE)],
    ['GET /api/v1/agents/team/a%2Fb', (client) => client.getAgent({ ...ONE, name: 'a/b' })],
    ['GET /api/v1/agents/team/sre/status', (client) => client.getAgentStatus(ONE)],
    [
      'DELETE /api/v1/agents/team/sre?force=true',
      (client) => client.deleteAgent({ ...ONE, force: true }),
    ],
    [
      'PATCH /api/v1/agents/team/sre?force=false',
      (client) => client.updateAgent({ ...ONE, force: false }),
    ],
    ['POST /api/v1/agents/validate', (client) => client.validateAgent({ name: 'sre' })],
    ['GET /api/v1/modelconfigs', (client) => client.listModelConfigs({})],
    [
      'GET /api/v1/skills?ref=a%2Fb&refresh=true',
      (client) => client.listSkills({ ref: 'a/b', refresh: true }),
    ],
  ])('is %s', async (line, call) => expect((await asked(call))?.line).toBe(line));

  it('writes arguments that are not in the path or the query as JSON', async () => {
    const fields = { description: '', toolset: ['preset:none'], iconUrl: undefined };
    const seen = await asked((client) => client.updateAgent({ ...ONE, force: true, ...fields }), {
      'x-team': 'a',
      'Content-Type': 'text/plain',
      accept: 'text/html',
    });
    expect(seen?.body).toBe('{"description":"","toolset":["preset:none"]}');
    expect(seen?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-team': 'a',
    });
  });

  it('preserves the path of the base address', async () => {
    let url: string | undefined;
    const baseUrl = await serving((request, response) => {
      url = request.url;
      response.end();
    });
    await createAgentManagerClient({ baseUrl: `${baseUrl}/platform//` }).getInfo();
    expect(url).toBe('/platform/api/v1/info');
  });
});

describe('arguments that cannot be sent', () => {
  let client: AgentManagerClient;
  let sent = 0;
  beforeAll(() => {
    client = createAgentManagerClient({
      baseUrl: 'http://127.0.0.1:1',
      fetch: () => Promise.reject(new Error(`sent ${++sent}`)),
    });
  });

  it.each([
    [{ name: 'a' }, 'namespace "" cannot stand in an address'],
    [{ namespace: 'team', name: '\ud800' }, String.raw`name "\ud800" cannot stand in an address`],
    [
      { namespace: 'team', name: 'a', description: 1n },
      'the arguments have no JSON: Do not know how to serialize a BigInt',
    ],
    [
      { namespace: 'team', name: 'a', description: 'x'.repeat(1_048_559) },
      'the arguments take 1048577 bytes, more than the 1048576 of a body',
    ],
  ])('says why %#', async (input, message) => {
    expect(await client.updateAgent(input as never)).toEqual({
      ok: false,
      error: { code: 'unsendable', message },
    });
    expect(sent).toBe(0);
  });

  it.each(['ftp://a', 'http://user:word@a', 'http://a/?x', 'http://a/#x', '/api', ''])(
    'is not made for the address %j',
    (baseUrl) => expect(() => createAgentManagerClient({ baseUrl })).toThrow(TypeError),
  );

  it('is not created with invalid headers or timeouts', () => {
    const baseUrl = 'http://a';
    expect(() => createAgentManagerClient({ baseUrl, headers: { 'a b': 'c' } })).toThrow(TypeError);
    expect(() => createAgentManagerClient({ baseUrl, timeoutMs: 0 })).toThrow(RangeError);
    expect(() => createAgentManagerClient({ baseUrl, timeoutMs: 2 ** 31 })).toThrow(RangeError);
  });
});
