import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  IdTokenSource,
  Principal,
  CredentialOutcome,
  ServerCredentials,
} from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import { createTestConfigDirectory } from '@gateway/repo-checks';
import { createMemoryStore } from '@gateway/state-store';
import type { TestProvider } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import { createDownstreamAuth, createFileSecretSource } from '../src/index.ts';

/** ID tokens that a provider signs for the client `gateway`, with the requested audiences that the user's sign-in has. */
export const signedBy = (
  provider: TestProvider,
  grantedAudiences: readonly string[] = [],
): IdTokenSource => {
  const tokens = new Map<string, Promise<string>>();
  const sign = (subject: string): Promise<string> =>
    provider.sign({ sub: subject, aud: ['gateway', ...grantedAudiences], jti: tokens.size });
  return {
    idToken: async ({ subject }, { audiences, refusedToken }) => {
      const audience = audiences.find((each) => !grantedAudiences.includes(each));
      if (audience !== undefined) return { ok: false, code: 'audience-missing', audience };
      const known = await tokens.get(subject);
      const token = known === refusedToken ? await sign(subject) : (known ?? (await sign(subject)));
      tokens.set(subject, Promise.resolve(token));
      return { ok: true, token, expiresAt: Date.now() + 300_000 };
    },
  };
};

/** A configuration directory with Secrets, by `<name>/<key>`. */
const secretsWith = async (files: Readonly<Record<string, string>>) => {
  const made = createTestConfigDirectory();
  onTestFinished(() => made.remove());
  for (const [path, value] of Object.entries(files)) {
    const file = join(made.path, 'secrets', path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, value);
    await chmod(file, 0o600);
  }
  return createFileSecretSource({ directory: made.path });
};

/** The credentials of users whose ID tokens come from a source. */
export const credentialsWith = async (
  idTokens: IdTokenSource,
  secrets: Readonly<Record<string, string>> = {},
): Promise<ServerCredentials> => {
  const store = createMemoryStore();
  const auth = createDownstreamAuth({
    store,
    publicUrl: undefined,
    servers: () => [],
    secrets: await secretsWith(secrets),
    idTokens,
    allowPrivate: true,
    log: { info: () => undefined, warn: () => undefined },
  });
  onTestFinished(async () => {
    auth.close();
    await store.close();
  });
  return auth.credentials;
};

/** The Secret with the client of a token exchange, and its keys. */
export const EXCHANGE_CLIENT = {
  name: 'remote',
  namespace: 'default',
  clientIdKey: 'client-id',
  clientSecretKey: 'client-secret',
};

/** The files of this Secret. */
export const exchangeClient = (id: string, secret: string): Readonly<Record<string, string>> => ({
  'remote/client-id': id,
  'remote/client-secret': secret,
});

const clientInfo = { name: 'test', version: '1' };
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
const INITIALIZE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });

const send = async ({ spec }: McpServer, authorization: string): Promise<Response> => {
  if (spec.type === 'stdio') throw new Error('a remote server is required');
  const accept = 'application/json, text/event-stream';
  const headers = { authorization, 'content-type': 'application/json', accept };
  const response = await fetch(spec.url, { method: 'POST', headers, body: INITIALIZE });
  await response.body?.cancel();
  return response;
};

/** Initializes a session as `downstream` does: with the current credential, and once more with a renewed one. Returns the last status. */
export const connectAs = async (
  credentials: ServerCredentials,
  server: McpServer,
  principal: Principal,
): Promise<number | CredentialOutcome> => {
  const current = await credentials.current(server, principal);
  if (!current.ok) return current;
  const { credential } = current;
  const { status, headers } = await send(server, credential.authorization);
  if (status !== 401 && status !== 403) return status;
  const challenge = headers.get('www-authenticate') ?? undefined;
  const rejection = { status, challenge, credential } as const;
  const renewed = await credentials.renewRejected(server, principal, rejection);
  return renewed.ok ? (await send(server, renewed.credential.authorization)).status : renewed;
};
