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

const lineOf = async (call: (client: AgentManagerClient) => Promise<unknown>) =>
  (await asked(call))?.line;

describe('a request of the client', () => {
  it('requests each operation by its method and route', async () => {
    const one = { namespace: 'team', name: 'sre' };
    const lines = await Promise.all(
      [
        (client: AgentManagerClient) => client.getInfo(),
        (client: AgentManagerClient) => client.listAgents(),
        (client: AgentManagerClient) => client.listAgents({ namespace: 'team' }),
        (client: AgentManagerClient) => client.getAgent(one),
        (client: AgentManagerClient) => client.getAgentStatus(one),
        (client: AgentManagerClient) => client.deleteAgent({ ...one, force: true }),
        (client: AgentManagerClient) => client.updateAgent({ ...one, force: false }),
        (client: AgentManagerClient) => client.validateAgent({ name: 'sre' }),
        (client: AgentManagerClient) => client.listModelConfigs({}),
        (client: AgentManagerClient) => client.listSkills({ ref: 'a/b', refresh: true }),
      ].map(lineOf),
    );
    expect(lines).toEqual([
      'GET /api/v1/info',
      'GET /api/v1/agents',
      'GET /api/v1/agents?namespace=team',
      'GET /api/v1/agents/team/sre',
      'GET /api/v1/agents/team/sre/status',
      'DELETE /api/v1/agents/team/sre?force=true',
      'PATCH /api/v1/agents/team/sre?force=false',
      'POST /api/v1/agents/validate',
      'GET /api/v1/modelconfigs',
      'GET /api/v1/skills?ref=a%2Fb&refresh=true',
    ]);
  });

  it('writes arguments that are not in the path or the query as JSON', async () => {
    const seen = await asked(
      (client) =>
        client.updateAgent({
          namespace: 'team',
          name: 'sre',
          force: true,
          description: '',
          toolset: ['preset:none'],
          iconUrl: undefined,
        }),
      { 'x-team': 'a', 'Content-Type': 'text/plain', accept: 'text/html' },
    );
    expect(seen?.body).toBe('{"description":"","toolset":["preset:none"]}');
    expect(seen?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-team': 'a',
    });
  });

  it('sends arguments that agent-manager refuses, even when the types forbid them', async () => {
    const given = JSON.parse('{"toolNames":["a"],"__proto__":{"x":1}}');
    expect((await asked((client) => client.createAgent(given)))?.body).toBe(
      '{"toolNames":["a"],"__proto__":{"x":1}}',
    );
    expect(await lineOf((client) => client.listAgents({ toolNames: ['a'] } as object))).toBe(
      'GET /api/v1/agents?toolNames=%5B%22a%22%5D',
    );
  });

  it.each([
    ['a/b', 'a%2Fb'],
    ['a?b#c', 'a%3Fb%23c'],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['🦊 é', '%F0%9F%A6%8A%20%C3%A9'],
    ['__proto__', '__proto__'],
    ['a\\b\n', 'a%5Cb%0A'],
  ])('asks for the agent named %j as one segment', async (name, segment) =>
    expect(await lineOf((client) => client.getAgent({ namespace: 'team', name }))).toBe(
      `GET /api/v1/agents/team/${segment}`,
    ),
  );

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

  it.each(['', '.', '..'])('refuses the name %j, which a path cannot represent', async (name) => {
    expect(await client.getAgent({ namespace: 'team', name })).toEqual({
      ok: false,
      error: {
        code: 'unsendable',
        message: `name ${JSON.stringify(name)} cannot stand in an address`,
      },
    });
    expect(sent).toBe(0);
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
