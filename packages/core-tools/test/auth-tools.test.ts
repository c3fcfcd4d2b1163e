import type { ServerEntry } from '../src/ports.ts';
import type { Caller, ClientAnswer, ClientRequest, Principal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import {
  createCoreTools,
  type LoginOutcome,
  type SignInPort,
  type SignInState,
  type LogoutOutcome,
} from '../src/index.ts';
import { failure, noSignIn, portsOver, callTool, sentence } from './ports.ts';
import { files, wiki } from './servers.ts';

const SIGNED_OUT: SignInState = {
  ...{ server: 'wiki', status: 'auth_required', isAutomatic: false },
  toolsCount: 0,
};
const SIGNED_IN: SignInState = { ...SIGNED_OUT, status: 'connected' };

const URL = 'https://gateway.example/oauth/proxy/start?state=abc';
const STATUS = 'Authentication required';
const CHALLENGE: LoginOutcome = { kind: 'challenge', url: URL, id: 'login-1', status: STATUS };

const CHALLENGE_TEXT = `Authentication Required

Server: wiki
Status: Authentication required

Please sign in to connect to this server:

https://gateway.example/oauth/proxy/start?state=abc

After signing in, run this tool again to complete the connection.`;
const CHALLENGED = sentence(CHALLENGE_TEXT, { authUrl: URL });

interface Facts {
  readonly state?: SignInState;
  readonly login?: LoginOutcome;
  readonly logout?: LogoutOutcome;
}

const toSignInState = ({ state, login = CHALLENGE, logout }: Facts): SignInPort => ({
  findState: (server) => (server === 'wiki' ? state : undefined),
  login: () => Promise.resolve(login),
  logout: () => Promise.resolve(logout ?? { kind: 'signed-out' }),
  waitForCompletion: () => Promise.resolve(true),
});

const call = (
  verb: 'login' | 'logout',
  args: unknown,
  { servers = [files, wiki], ...facts }: Facts & { readonly servers?: readonly ServerEntry[] } = {},
) => callTool(`core_auth_${verb}`, args, { ...portsOver(servers), signIn: toSignInState(facts) });

it.each([undefined, {}, { server: '' }, { server: null }, { server: 1 }])(
  'sign-in and sign-out require a server: %j',
  async (args) => {
    const refused = failure("Error: 'server' argument is required and must be a string");
    expect([await call('login', args), await call('logout', args)]).toEqual([refused, refused]);
  },
);

describe('core_auth_login', () => {
  const stopped = { ...files, state: 'Stopped' } as const;
  const automatic = { ...SIGNED_OUT, isAutomatic: true };

  const already = sentence("Server 'wiki' is already authenticated.");
  const connected = { ...automatic, status: 'connected' } as const;

  it.each<[string, unknown, Parameters<typeof call>[2]?]>([
    ['x', failure("Server 'x' not found. Use list_tools to see available servers.")],
    ['files', sentence("Server 'files' is already authenticated and connected.")],
    ['files', sentence("Server 'files' does not require authentication."), { servers: [stopped] }],
    ['wiki', already, { state: SIGNED_IN, login: { kind: 'signed-in' } }],
    ['wiki', already, { state: connected }],
    // The server requires further scopes.
    ['wiki', CHALLENGED, { state: SIGNED_IN }],
    [
      'wiki',
      failure(
        "Server 'wiki' uses SSO and is connected automatically. Sign in to the gateway again if it is not connected.",
      ),
      { state: automatic },
    ],
  ])('for %s answers %j', async (server, result, facts) => {
    expect(await call('login', { server }, facts)).toEqual(result);
  });

  it.each<readonly [LoginOutcome, unknown]>([
    [
      { kind: 'not-configured', remedy: 'Set http.publicUrl in config.yaml.' },
      failure(
        "OAuth is not configured. Server 'wiki' requires authentication but OAuth proxy is not enabled. Set http.publicUrl in config.yaml.",
      ),
    ],
    [
      { kind: 'no-metadata' },
      failure(
        "Cannot authenticate to 'wiki': RFC 9728 protected resource metadata not found. On the MCPServer set spec.auth.type=oauth and spec.auth.authorizationServer.issuer to pin the authorization server.",
      ),
    ],
    [
      { kind: 'connected', toolsCount: 4 },
      sentence(
        "Successfully connected to 'wiki'!\n\nThe server's tools are now available: 4 tools.",
      ),
    ],
    [
      { kind: 'connect-failed', reason: 'connection refused' },
      failure(
        "Failed to connect to 'wiki': connection refused. Run core_auth_login again to try again.",
      ),
    ],
    [
      { kind: 'failed', reason: 'the issuer is not https' },
      failure("Cannot authenticate to 'wiki': the issuer is not https"),
    ],
    [
      { kind: 'rate-limited', limit: 10, remaining: 0, retryAfterSeconds: 42 },
      failure(
        "Too many sign-in attempts for 'wiki': 10 per minute are allowed, 0 attempts remain; try again in 42 s",
      ),
    ],
    [CHALLENGE, CHALLENGED],
  ])('answers a sign-in that ends as %j', async (login, result) => {
    expect(await call('login', { server: 'wiki' }, { state: SIGNED_OUT, login })).toEqual(result);
  });

  it('signs in the principal of the call', async () => {
    const asked: string[] = [];
    const login: SignInPort['login'] = (server, { key }) => {
      asked.push(`${server} ${key}`);
      return Promise.resolve(CHALLENGE);
    };
    const signIn = { ...noSignIn, findState: () => SIGNED_OUT, login };
    const tools = createCoreTools({ ...portsOver(), signIn });
    const ada: Principal = { key: 'ada', subject: 'ada' };
    await tools.call('core_auth_login', { server: 'wiki' }, { principal: ada });
    await tools.call('core_auth_login', { server: 'wiki' });
    expect(asked).toEqual(['wiki ada', 'wiki anonymous']);
  });
});

/** Calls `core_auth_login` for a client with these capabilities that answers each request with `answer`. */
const askedLogin = async (
  capabilities: Caller['capabilities'],
  answer: ClientAnswer = { ok: true, result: { action: 'accept' } },
  isCompleted = true,
) => {
  const requests: ClientRequest[] = [];
  const notifications: unknown[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const notify = (notification: unknown) => notifications.push(notification);
  const channel = { notify, onEnd: () => undefined, end };
  const caller: Caller = {
    capabilities,
    takesInputRequired: false,
    logLevel: undefined,
    identity: 'session',
    ask: (request) => {
      requests.push(request);
      return Promise.resolve(answer);
    },
    notify: () => undefined,
    openNotificationChannel: () => Promise.resolve({ ok: true, channel }),
  };
  const waitForCompletion = () => Promise.resolve(isCompleted);
  const signIn = { ...toSignInState({ state: SIGNED_OUT }), waitForCompletion };
  const tools = createCoreTools({ ...portsOver(), signIn });
  const outcome = await tools.call('core_auth_login', { server: 'wiki' }, { caller });
  if (requests.length > 0) await ended;
  return { result: outcome.ok ? outcome.result : undefined, requests, notifications };
};

describe('core_auth_login of a client with URL elicitation', () => {
  const URL_MODE = { elicitation: { url: {} } };

  it('sends the link as URL elicitation and reports the end of the sign-in', async () => {
    const elicitationId = 'login-1';
    const message = "Sign in to the MCP server 'wiki'.";
    const params = { mode: 'url', elicitationId, url: URL, message };
    expect(await askedLogin(URL_MODE)).toEqual({
      result: CHALLENGED,
      requests: [{ method: 'elicitation/create', params }],
      notifications: [{ method: 'notifications/elicitation/complete', params: { elicitationId } }],
    });
  });

  it('reports no end of a sign-in that expires', async () => {
    expect(await askedLogin(URL_MODE, undefined, false)).toMatchObject({ notifications: [] });
  });

  it.each(['decline', 'cancel'])('answers %s with one sentence', async (action) => {
    const result = sentence("The sign-in to server 'wiki' was declined; nothing was changed.");
    expect(await askedLogin(URL_MODE, { ok: true, result: { action } })).toMatchObject({ result });
  });

  it('answers with the text when the client fails', async () => {
    const error = { code: -32_603, message: 'no browser' };
    const { result } = await askedLogin(URL_MODE, { ok: false, error });
    expect(result).toEqual(CHALLENGED);
  });

  it.each([{}, { elicitation: {} }, { elicitation: { form: {} } }])(
    'asks no client that declares %j',
    async (capabilities) => {
      const silent = { result: CHALLENGED, requests: [], notifications: [] };
      expect(await askedLogin(capabilities)).toEqual(silent);
    },
  );
});

it.each<readonly [string, unknown, Facts]>([
  ['x', failure("Server 'x' not found."), {}],
  ['files', sentence("Server 'files' does not require authentication."), {}],
  [
    'wiki',
    failure(
      "Server 'wiki' uses SSO and is managed automatically. Sign out of the gateway to end its connection.",
    ),
    { state: { ...SIGNED_OUT, isAutomatic: true } },
  ],
  [
    'wiki',
    sentence(
      "Successfully logged out from 'wiki'.\n\nThe server's tools are now hidden. Sign in again with core_auth_login.",
    ),
    { state: SIGNED_OUT, logout: { kind: 'signed-out' } },
  ],
  [
    'wiki',
    sentence("You are not signed in to server 'wiki'."),
    { state: SIGNED_OUT, logout: { kind: 'not-signed-in' } },
  ],
  [
    'wiki',
    failure("Failed to log out from 'wiki': the store is not available"),
    { state: SIGNED_OUT, logout: { kind: 'failed', reason: 'the store is not available' } },
  ],
])('core_auth_logout of %s answers %j', async (server, result, facts) => {
  expect(await call('logout', { server }, facts)).toEqual(result);
});

describe('the state of a server', () => {
  const state = { ...SIGNED_OUT, status: 'reauth_required', reason: 'the token expired' } as const;
  const signIn = { status: 'reauth_required', error: 'the token expired' };
  const shown = async (name: string, facts: Facts, args: object = { name: 'wiki' }) =>
    (await callTool(name, args, { ...portsOver([wiki]), signIn: toSignInState(facts) }))[
      'structuredContent'
    ];

  it.each(['core_service_status', 'core_mcpserver_get'])(
    'stands apart from the sign-in of the caller in %s',
    async (tool) => {
      expect(await shown(tool, { state })).toMatchObject({ signIn });
      expect(await shown(tool, {})).not.toHaveProperty('signIn');
    },
  );

  it('stands apart from the sign-in of the caller in core_mcpserver_list', async () => {
    expect(await shown('core_mcpserver_list', { state }, {})).toMatchObject({
      mcpServers: [{ name: 'wiki', state: 'Auth Required', signIn }],
    });
  });

  it.each([
    [
      'auth_required',
      'Service \'wiki\' requires authentication; sign in with core_auth_login(server="wiki")',
    ],
    ['connected', "Successfully restarted service 'wiki'"],
  ] as const)('lets a restart report the sign-in of the caller: %s', async (status, message) => {
    const facts = { state: { ...SIGNED_OUT, status } };
    expect(await shown('core_service_restart', facts)).toEqual({ message });
  });
});
