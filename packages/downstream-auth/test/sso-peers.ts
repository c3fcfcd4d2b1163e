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

/** Closes a peer at the end of the test. */
export const closing = async <T extends { readonly close: () => Promise<void> }>(
  starting: Promise<T>,
): Promise<T> => {
  const started = await starting;
  onTestFinished(() => started.close());
  return started;
};

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

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

/** Initialises a session as `downstream` does: with the current credential, and once more with a renewed one. Returns the last status. */
export const connectAs = async (
  credentials: ServerCredentials,
  server: McpServer,
  principal: Principal,
): Promise<number | CredentialOutcome> => {
  if (server.spec.type === 'stdio') throw new Error('a remote server is required');
  const { url } = server.spec;
  const send = (authorization: string): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(INITIALIZE),
    });
  const current = await credentials.current(server, principal);
  if (!current.ok) return current;
  const { credential } = current;
  const response = await send(credential.authorization);
  await response.body?.cancel();
  if (response.status !== 401) return response.status;
  const challenge = response.headers.get('www-authenticate') ?? undefined;
  const renewed = await credentials.renewRejected(server, principal, {
    ...{ status: 401, challenge, credential },
  });
  if (!renewed.ok) return renewed;
  const repeated = await send(renewed.credential.authorization);
  await repeated.body?.cancel();
  return repeated.status;
};
