import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn, createTestUser } from '@gateway/test-peers';
import { expect } from 'vitest';
import { CLI, SERVER_ENV } from './gateway.ts';
import { postMessage } from './mcp-posts.ts';
import { startNode } from './process.ts';
import { testFolder } from './program-result.ts';
import { INITIALIZE } from './initialize-message.ts';

/** What the command line of the gateway stores of a sign-in. */
export interface StoredSignIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenEndpoint: string;
  readonly resource: string;
  readonly client: { readonly clientId: string };
}

/** Signs alice in with the command line at the MCP endpoint of a gateway in mode `broker`. */
export const login = async (url: string): Promise<StoredSignIn> => {
  const home = testFolder();
  const env = { ...SERVER_ENV, XDG_CONFIG_HOME: home, GATEWAY_KEYRING: 'off' };
  const running = startNode([CLI, 'auth', 'login', '--no-browser', url], { env });
  const link = await running.line((line) => line.startsWith('http'));
  await signIn(link, createTestUser('alice'));
  expect(await running.exited).toMatchObject({ code: 0 });
  const text = readFileSync(join(home, 'mcp-gateway', 'sign-ins.json'), 'utf8');
  const stored = (JSON.parse(text) as Record<string, { signIn: StoredSignIn }>)[url]?.signIn;
  if (stored === undefined) throw new Error('nothing is stored');
  return stored;
};

/** Uses a refresh token of a sign-in at the gateway with an origin. */
export const refresh = (
  origin: string,
  token: string,
  { client, resource, tokenEndpoint }: StoredSignIn,
) =>
  fetch(new URL(new URL(tokenEndpoint).pathname, origin), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: client.clientId,
      resource,
    }),
  });

/** Sends `initialize` with an access token to the gateway with an origin. */
export const initialize = (origin: string, token: string) =>
  postMessage(new URL(origin), INITIALIZE, { headers: { authorization: `Bearer ${token}` } });
