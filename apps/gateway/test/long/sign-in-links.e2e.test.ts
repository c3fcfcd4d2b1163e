import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { signIn, startProtectedServer, startProvider, createTestUser } from '@gateway/test-peers';
import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../harness/gateway.ts';

type Action = 'accept' | 'decline' | 'cancel';

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

type Connect = (url: URL, action: Action | undefined) => Promise<LinkClient>;

const INFO = { name: 'links', version: '1.0.0' };

const capabilitiesFor = (action: Action | undefined) =>
  action === undefined ? {} : { elicitation: { url: {} } };

const callWith = (name: string, args: object) => ({
  name: 'call_tool',
  arguments: { name, arguments: args },
});

const firstGeneration: Connect = async (url, action) => {
  const [shown, completed]: [Shown[], string[]] = [[], []];
  const client = new FirstClient(INFO, { capabilities: capabilitiesFor(action) });
  if (action !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      shown.push(params as Shown);
      return { action };
    });
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      completed.push(params.elicitationId);
    });
  }
  await client.connect(new FirstHttp(url));
  onTestFinished(() => client.close());
  const call = (name: string, args: object = {}) => client.callTool(callWith(name, args));
  return { call, shown, completed };
};

const secondGeneration =
  (mode: 'legacy' | { readonly pin: string }): Connect =>
  async (url, action) => {
    const [shown, completed]: [Shown[], string[]] = [[], []];
    const client = new SecondClient(INFO, {
      capabilities: capabilitiesFor(action),
      versionNegotiation: { mode },
    });
    if (action !== undefined) {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        shown.push(params as Shown);
        return { action };
      });
      client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
        completed.push(params.elicitationId);
      });
    }
    await client.connect(new SecondHttp(url));
    onTestFinished(() => client.close());
    const call = (name: string, args: object = {}) => client.callTool(callWith(name, args));
    return { call, shown, completed };
  };

const CLIENTS = [
  ['generation 1', firstGeneration, true],
  ['generation 2, 2025 era', secondGeneration('legacy'), true],
  // This revision has no session on which the end of a sign-in could be reported, and the client shows no identifier of the link.
  ['generation 2, 2026-07-28', secondGeneration({ pin: '2026-07-28' }), false],
] as const;

/** A gateway with the server `notes`, which users sign in to. */
const started = async (): Promise<URL> => {
  const provider = await startProvider();
  const notes = await startProtectedServer({
    issuers: [provider.issuer],
    scopesSupported: ['mcp'],
  });
  const directory = createTestConfigDirectory();
  directory.config({ auth: { allowPrivate: true } });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, autoStart: true, auth });
  const gateway = await startGateway(directory.path);
  onTestFinished(async () => {
    await gateway.stop();
    await Promise.all([notes.close(), provider.close()]);
    directory.remove();
  });
  return new URL('/mcp', gateway.url);
};

const login = (client: LinkClient) => client.call('core_auth_login', { server: 'notes' });

it.each(CLIENTS)(
  'a client that shows links gets that of a sign-in, and can repeat the call (%s)',
  async (_name, connect, hasSession) => {
    const client = await connect(await started(), 'accept');
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

it.each(CLIENTS)(
  'a client whose user declines or closes the link gets no link as text (%s)',
  async (_name, connect) => {
    const url = await started();
    for (const action of ['decline', 'cancel'] as const) {
      const client = await connect(url, action);
      const answer = JSON.stringify(await login(client));
      expect(answer).toContain("The sign-in to server 'notes' was declined; nothing was changed.");
      expect(answer).not.toContain('authUrl');
      expect(client.shown).toHaveLength(1);
    }
  },
);

it.each(CLIENTS)(
  'a client that shows no links gets the text alone (%s)',
  async (_name, connect) => {
    const client = await connect(await started(), undefined);
    expect(JSON.stringify(await login(client))).toContain('Please sign in to connect');
    expect(client.shown).toEqual([]);
  },
);
