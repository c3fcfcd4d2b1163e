import { retryAssertion } from '@gateway/repo-checks';
import { signIn, startProtectedServer, startProvider, createTestUser } from '@gateway/test-peers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { startGateway } from '../harness/gateway.ts';
import { atEnd, closing, testDirectory } from '../harness/lifetime.ts';

interface Shown {
  readonly mode?: string;
  readonly elicitationId?: string;
  readonly url?: string;
}

/** A client that shows links, and the links and completions that it received. */
interface LinkClient {
  readonly call: (name: string, args?: object) => Promise<unknown>;
  readonly shown: readonly Shown[];
  readonly completed: readonly string[];
}

type Connect = (url: URL) => Promise<LinkClient>;

const connectIn =
  (mode: 'legacy' | { readonly pin: string }): Connect =>
  async (url) => {
    const [shown, completed]: [Shown[], string[]] = [[], []];
    const client = new Client(
      { name: 'links', version: '1.0.0' },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      shown.push(params as Shown);
      return { action: 'accept' };
    });
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      completed.push(params.elicitationId);
    });
    await client.connect(new StreamableHTTPClientTransport(url));
    atEnd(() => client.close());
    const call = (name: string, args: object = {}) =>
      client.callTool({ name: 'call_tool', arguments: { name, arguments: args } });
    return { call, shown, completed };
  };

const CLIENTS = [
  ['2025 era', connectIn('legacy'), true],
  // This revision has no session on which the end of a sign-in could be reported, and the client shows no identifier of the link.
  ['2026-07-28', connectIn({ pin: '2026-07-28' }), false],
] as const;

/** A gateway with the server `notes`, which users sign in to. */
const started = async (): Promise<URL> => {
  const { issuer } = await closing(startProvider());
  const notes = await closing(
    startProtectedServer({ issuers: [issuer], scopesSupported: ['mcp'] }),
  );
  const directory = testDirectory();
  directory.config({ auth: { allowPrivate: true } });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, autoStart: true, auth });
  const gateway = await startGateway(directory.path);
  return new URL('/mcp', gateway.url);
};

const login = (client: LinkClient) => client.call('core_auth_login', { server: 'notes' });

it.each(CLIENTS)(
  'a client that shows links gets that of a sign-in, and can repeat the call (%s)',
  async (_name, connect, hasSession) => {
    const client = await connect(await started());
    const answer = JSON.stringify(await login(client));
    expect(client.shown).toMatchObject([{ mode: 'url' }]);
    const [{ url = '', elicitationId } = {}] = client.shown;
    expect(answer).toContain(url);
    expect(client.completed).toEqual([]);
    expect((await signIn(url, createTestUser('ada'))).status).toBe(200);
    if (hasSession) {
      expect(elicitationId).toMatch(/^[\w-]{36}$/u);
      await retryAssertion(() => {
        expect(client.completed).toEqual([elicitationId]);
      });
    }
    expect(JSON.stringify(await login(client))).toContain('is already authenticated.');
    expect(JSON.stringify(await client.call('x_notes_whoami'))).toContain('ada');
  },
);
