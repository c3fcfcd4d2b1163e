import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CookieBrowser,
  signIn,
  startProvider,
  createTestUser,
  type TestProvider,
  findFreePort,
} from '@gateway/test-peers';
import * as second from '@modelcontextprotocol/client';
import {
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';

const REDIRECT = 'http://127.0.0.1:7/callback';

let gateway: RunningGateway;
let provider: TestProvider;
let directory: string;

beforeAll(async () => {
  const port = await findFreePort();
  directory = mkdtempSync(join(tmpdir(), 'gateway-broker-'));
  mkdirSync(join(directory, 'mcpservers'));
  provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        client_secret: 'the secret of the gateway',
        redirect_uris: [`http://127.0.0.1:${port}/oauth/upstream/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  writeFileSync(join(directory, 'secret'), 'the secret of the gateway', { mode: 0o600 });
  writeFileSync(
    join(directory, 'config.yaml'),
    JSON.stringify({
      auth: {
        mode: 'broker',
        broker: {
          upstream: { issuer: provider.issuer, clientId: 'gateway', clientSecretFile: 'secret' },
          registration: { enabled: true },
        },
      },
    }),
  );
  gateway = await startGateway(directory, { args: ['--port', String(port)] });
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Stores what a client of the SDK remembers, and sends the user to the pages of the gateway. */
class MemoryClient implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: 'Agent',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  readonly #values = new Map<string, unknown>();
  code = '';
  issuer = '';

  readonly #get = (name: string): never => this.#values.get(name) as never;
  readonly clientInformation = () => this.#get('client');
  readonly saveClientInformation = (value: unknown): void => void this.#values.set('client', value);
  readonly tokens = () => this.#get('tokens');
  readonly saveTokens = (value: unknown): void => void this.#values.set('tokens', value);
  readonly saveCodeVerifier = (value: string): void => void this.#values.set('verifier', value);
  readonly codeVerifier = (): string => this.#get('verifier');

  async redirectToAuthorization(url: URL): Promise<void> {
    const browser = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(REDIRECT) });
    const page = await signIn(url, createTestUser('alice'), { browser });
    const result = new URL(page.url).searchParams;
    this.code = result.get('code') ?? '';
    this.issuer = result.get('iss') ?? '';
  }

  get received(): Record<string, unknown> {
    return this.#get('tokens');
  }
}

describe('a client with the sign-in of the SDK', () => {
  it('of the first generation reaches the tools after the sign-in of a user', async () => {
    const memory = new MemoryClient();
    const url = new URL('/mcp', gateway.url);
    const refused = new FirstTransport(url, { authProvider: memory });
    const client = new FirstClient({ name: 'agent', version: '1.0.0' });
    await expect(client.connect(refused as never)).rejects.toBeInstanceOf(UnauthorizedError);
    await refused.finishAuth(memory.code);
    await client.connect(new FirstTransport(url, { authProvider: memory }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('call_tool');
    await client.close();
    expect(memory.issuer).toBe(gateway.url.origin);
    expect(Object.keys(memory.received)).not.toContain('id_token');
  });

  it('of the second generation reaches the tools after the sign-in of a user', async () => {
    const memory = new MemoryClient();
    const url = new URL('/mcp', gateway.url);
    const options = { authProvider: memory as unknown as second.OAuthClientProvider };
    const refused = new second.StreamableHTTPClientTransport(url, options);
    const client = new second.Client({ name: 'agent', version: '1.0.0' });
    await expect(client.connect(refused)).rejects.toThrow();
    await refused.finishAuth(new URLSearchParams({ code: memory.code, iss: memory.issuer }));
    await client.connect(new second.StreamableHTTPClientTransport(url, options));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('call_tool');
    await client.close();
  });
});

it('writes no token, code, state or secret to the log', () => {
  const log = [...gateway.stderr, ...gateway.stdout].join('\n');
  const sent = provider.requests.flatMap(({ parameters }) =>
    ['code', 'state', 'code_verifier', 'refresh_token', 'client_secret', 'nonce'].flatMap((name) =>
      typeof parameters[name] === 'string' ? [parameters[name]] : [],
    ),
  );
  expect(sent.length).toBeGreaterThan(0);
  for (const value of sent) expect(log).not.toContain(value);
});
