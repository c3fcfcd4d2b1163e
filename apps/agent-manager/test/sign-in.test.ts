import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestCluster, startProvider, type TestProvider } from '@gateway/test-peers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startGuarded } from './harness/guarded-service.ts';

const AGENT = { name: 'sre', modelConfig: 'small', toolset: ['preset:none'] };
const MODEL = {
  apiVersion: 'kagent.dev/v1alpha2',
  kind: 'ModelConfig',
  metadata: { name: 'small', namespace: 'default' },
};

let provider: TestProvider;
beforeAll(async () => {
  provider = await startProvider();
  return () => provider.close();
});

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'agent-manager-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

/** Over a directory, for tokens of the issuer with the audience `gateway`. */
const startOverDirectory = () =>
  startGuarded(
    ...['--store', folder()],
    ...['--oauth-issuer', provider.issuer, '--oauth-audiences', 'gateway'],
  );

interface Reply {
  readonly status: number;
  readonly challenge: string | null;
  readonly body: unknown;
}

const send = async (
  url: string,
  { token, body }: { readonly token?: string; readonly body?: object } = {},
): Promise<Reply> => {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      accept: 'application/json, text/event-stream',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    body: isJson ? JSON.parse(text) : text,
  };
};

const alice = (claims: object = {}): Promise<string> =>
  provider.sign({ sub: 'alice', aud: 'gateway', email: 'alice@example.com', ...claims });

const METADATA = 'http://agents.example.com/.well-known/oauth-protected-resource/mcp';

describe('agent-manager with --enable-oauth', () => {
  it('refuses REST and MCP without a token of its audience, names its metadata, and leaves the rest open', async () => {
    const { url } = await startOverDirectory();
    for (const path of ['/api/v1/agents', '/mcp']) {
      const { status, challenge } = await send(`${url}${path}`);
      expect([status, challenge]).toEqual([401, `Bearer resource_metadata="${METADATA}"`]);
    }
    expect((await send(`${url}/api/v1/agents`)).body).toMatchObject({
      error: { code: 'unauthenticated', message: expect.stringMatching(/^unauthorized: /) },
    });
    const foreign = await send(`${url}/api/v1/agents`, { token: await alice({ aud: 'other' }) });
    expect(foreign.status).toBe(401);
    expect(foreign.challenge).toContain('error="invalid_token"');
    expect((await send(`${url}/.well-known/oauth-protected-resource/mcp`)).body).toMatchObject({
      resource: 'http://agents.example.com/mcp',
      authorization_servers: [provider.issuer],
    });
    for (const path of ['/', '/api/v1/openapi.yaml', '/healthz', '/readyz', '/metrics'])
      expect((await send(`${url}${path}`)).status).toBe(200);
  });

  it('answers writes with the e-mail address of the caller, and logs it without the token', async () => {
    const { url, log } = await startOverDirectory();
    const token = await alice();
    const created = await send(`${url}/api/v1/agents`, { token, body: AGENT });
    expect(created).toMatchObject({ status: 201, body: { requestedBy: 'alice@example.com' } });
    const listed = await send(`${url}/api/v1/agents`, { token });
    expect(listed.body).not.toHaveProperty('requestedBy');
    expect(log()).toContain('"caller":"alice@example.com"');
    expect(log()).not.toContain(token.split('.')[2]);
  });

  it('names the subject of a caller without an e-mail address, over MCP too', async () => {
    const { url } = await startOverDirectory();
    const token = await provider.sign({ sub: 'robot-7', aud: 'gateway' });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    onTestFinished(() => client.close());
    const result = await client.callTool({ name: 'create_agent', arguments: AGENT });
    expect(JSON.stringify(result.content)).toContain('robot-7');
  });

  it('reads its issuers from a file', async () => {
    const config = join(folder(), 'oauth.yaml');
    writeFileSync(
      config,
      JSON.stringify({
        issuers: [{ issuer: provider.issuer, audiences: ['gateway'], scopes: [] }],
      }),
    );
    const { url } = await startGuarded('--store', folder(), '--oauth-config', config);
    const token = await alice();
    expect((await send(`${url}/api/v1/agents`, { token })).status).toBe(200);
  });
});

/** A cluster that knows callers by their tokens. */
const startOverCluster = async () => {
  const users = new Map([['token-of-the-test', 'agent-manager']]);
  const { api, kubeconfig } = await startTestCluster({ users });
  api.apply(MODEL);
  const service = await startGuarded(
    ...['--kubernetes', '--kubeconfig', kubeconfig, '--downstream-oauth'],
    ...['--oauth-issuer', provider.issuer, '--oauth-audiences', 'gateway'],
  );
  return { api, users, ...service };
};

describe('agent-manager with --downstream-oauth', () => {
  it('acts in the cluster as the caller, and never as itself', async () => {
    const { api, users, url, log } = await startOverCluster();
    const token = await alice();
    users.set(token, 'alice');
    const created = await send(`${url}/api/v1/agents`, { token, body: AGENT });
    expect(created).toMatchObject({ status: 201, body: { requestedBy: 'alice@example.com' } });
    expect((await send(`${url}/api/v1/agents`, { token })).status).toBe(200);
    expect((await send(`${url}/metrics`)).body).toContain('agent_manager_store_reachable 1');
    const sent = api.requests.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${token}`, undefined]));
    expect(log()).not.toContain(token.split('.')[2]);
  });

  it('passes the refusals of the cluster on', async () => {
    const { api, users, url } = await startOverCluster();
    const token = await alice();
    expect(await send(`${url}/api/v1/agents`, { token })).toMatchObject({
      status: 401,
      body: {
        error: {
          code: 'unauthenticated',
          message: 'unauthorized: the Kubernetes API does not accept your identity token',
        },
      },
    });
    users.set(token, 'alice');
    api.isAllowed = (_request, user) => user !== 'alice';
    expect(await send(`${url}/api/v1/agents`, { token })).toMatchObject({
      status: 403,
      body: {
        error: { code: 'forbidden', message: expect.stringContaining('User "alice" cannot') },
      },
    });
  });

  it('reports that writes are made as the caller', async () => {
    const { url } = await startOverCluster();
    const { body } = await send(`${url}/api/v1/info`, { token: await alice() });
    expect(body).toMatchObject({ identity: 'caller', capabilities: { writesAsCaller: true } });
  });
});
