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

const SIGNED_OUT: SignInState = { server: 'wiki', status: 'auth_required', isAutomatic: false };

const URL = 'https://gateway.example/oauth/proxy/start?state=abc';

const CHALLENGE: LoginOutcome = {
  kind: 'challenge',
  url: URL,
  id: 'login-1',
  status: 'Authentication required',
};

const CHALLENGE_TEXT = `Authentication Required

Server: wiki
Status: Authentication required

Please sign in to connect to this server:

https://gateway.example/oauth/proxy/start?state=abc

After signing in, run this tool again to complete the connection.`;

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

const wikiLogin = (login: LoginOutcome) =>
  call('login', { server: 'wiki' }, { state: SIGNED_OUT, login });

const ARGUMENT = failure("Error: 'server' argument is required and must be a string");

describe('core_auth_login', () => {
  it.each([undefined, {}, { server: '' }, { server: null }, { server: 1 }])(
    'requires a server: %j',
    async (args) => {
      expect(await call('login', args)).toEqual(ARGUMENT);
      expect(await call('logout', args)).toEqual(ARGUMENT);
    },
  );

  it('reports an unknown server', async () => {
    expect(await call('login', { server: 'x' })).toEqual(
      failure("Server 'x' not found. Use list_tools to see available servers."),
    );
  });

  it('answers that a server that all users share needs no sign-in', async () => {
    expect(await call('login', { server: 'files' })).toEqual(
      sentence("Server 'files' is already authenticated and connected."),
    );
    const servers = [{ ...files, state: 'Stopped' } as const];
    expect(await call('login', { server: 'files' }, { servers })).toEqual(
      sentence("Server 'files' does not require authentication."),
    );
  });

  it('answers that a user is signed in already', async () => {
    const state = { ...SIGNED_OUT, status: 'connected' } as const;
    const already = sentence("Server 'wiki' is already authenticated.");
    const login = { kind: 'signed-in' } as const;
    expect(await call('login', { server: 'wiki' }, { state, login })).toEqual(already);
    const automatic = { ...state, isAutomatic: true };
    expect(await call('login', { server: 'wiki' }, { state: automatic })).toEqual(already);
  });

  it('signs a connected user in again when the server requires further scopes', async () => {
    const state = { ...SIGNED_OUT, status: 'connected' } as const;
    expect(await call('login', { server: 'wiki' }, { state, login: CHALLENGE })).toEqual(
      sentence(CHALLENGE_TEXT, { authUrl: URL }),
    );
  });

  it('refuses a sign-in to a server that is connected automatically', async () => {
    const state = { ...SIGNED_OUT, isAutomatic: true };
    expect(await call('login', { server: 'wiki' }, { state })).toEqual(
      failure(
        "Server 'wiki' uses SSO and is connected automatically. Sign in to the gateway again if it is not connected.",
      ),
    );
  });

  it('reports that the gateway has no address for browsers', async () => {
    const remedy = 'Set http.publicUrl in config.yaml.';
    expect(await wikiLogin({ kind: 'not-configured', remedy })).toEqual(
      failure(
        "OAuth is not configured. Server 'wiki' requires authentication but OAuth proxy is not enabled. Set http.publicUrl in config.yaml.",
      ),
    );
  });

  it('reports a server that does not name its authorization server', async () => {
    expect(await wikiLogin({ kind: 'no-metadata' })).toEqual(
      failure(
        "Cannot authenticate to 'wiki': RFC 9728 protected resource metadata not found. On the MCPServer set spec.auth.type=oauth and spec.auth.authorizationServer.issuer to pin the authorization server.",
      ),
    );
  });

  it('reports a connection', async () => {
    expect(await wikiLogin({ kind: 'connected', toolsCount: 4 })).toEqual(
      sentence(
        "Successfully connected to 'wiki'!\n\nThe server's tools are now available: 4 tools.",
      ),
    );
  });

  it('reports a connection that fails', async () => {
    expect(await wikiLogin({ kind: 'connect-failed', reason: 'connection refused' })).toEqual(
      failure(
        "Failed to connect to 'wiki': connection refused. Run core_auth_login again to try again.",
      ),
    );
    expect(await wikiLogin({ kind: 'failed', reason: 'the issuer is not https' })).toEqual(
      failure("Cannot authenticate to 'wiki': the issuer is not https"),
    );
  });

  it('reports the remaining attempts', async () => {
    const limited = { limit: 10, remaining: 0, retryAfterSeconds: 42 };
    expect(await wikiLogin({ kind: 'rate-limited', ...limited })).toEqual(
      failure(
        "Too many sign-in attempts for 'wiki': 10 per minute are allowed, 0 attempts remain; try again in 42 s",
      ),
    );
  });

  it('answers with the link for the user', async () => {
    expect(await wikiLogin(CHALLENGE)).toEqual(sentence(CHALLENGE_TEXT, { authUrl: URL }));
  });

  it('signs in the principal of the call', async () => {
    const asked: string[] = [];
    const signIn: SignInPort = {
      ...noSignIn,
      findState: () => SIGNED_OUT,
      login: (server, { key }) => {
        asked.push(`${server} ${key}`);
        return Promise.resolve(CHALLENGE);
      },
    };
    const { call: callCoreTool } = createCoreTools({ ...portsOver(), signIn });
    const ada: Principal = { key: 'ada', subject: 'ada' };
    await callCoreTool('core_auth_login', { server: 'wiki' }, { principal: ada });
    await callCoreTool('core_auth_login', { server: 'wiki' });
    expect(asked).toEqual(['wiki ada', 'wiki anonymous']);
  });
});

interface Asked {
  readonly result: unknown;
  readonly requests: readonly ClientRequest[];
  readonly notifications: readonly unknown[];
}

/** Calls `core_auth_login` for a client with these capabilities that answers each request with `answer`. */
const askedLogin = async (
  capabilities: Caller['capabilities'],
  answer: ClientAnswer,
  isCompleted = true,
): Promise<Asked> => {
  const requests: ClientRequest[] = [];
  const notifications: unknown[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
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
    openNotificationChannel: () =>
      Promise.resolve({
        ok: true,
        channel: {
          notify: (notification) => notifications.push(notification),
          onEnd: () => undefined,
          end,
        },
      }),
  };
  const signIn = {
    ...toSignInState({ state: SIGNED_OUT }),
    waitForCompletion: () => Promise.resolve(isCompleted),
  };
  const { call: callCoreTool } = createCoreTools({ ...portsOver(), signIn });
  const outcome = await callCoreTool('core_auth_login', { server: 'wiki' }, { caller });
  if (requests.length > 0) await ended;
  return { result: outcome.ok ? outcome.result : undefined, requests, notifications };
};

const accepted: ClientAnswer = { ok: true, result: { action: 'accept' } };

describe('core_auth_login of a client with URL elicitation', () => {
  const URL_MODE = { elicitation: { url: {} } };

  it('sends the link as URL elicitation and reports the end of the sign-in', async () => {
    expect(await askedLogin(URL_MODE, accepted)).toEqual({
      result: sentence(CHALLENGE_TEXT, { authUrl: URL }),
      requests: [
        {
          method: 'elicitation/create',
          params: {
            mode: 'url',
            elicitationId: 'login-1',
            url: URL,
            message: "Sign in to the MCP server 'wiki'.",
          },
        },
      ],
      notifications: [
        { method: 'notifications/elicitation/complete', params: { elicitationId: 'login-1' } },
      ],
    });
  });

  it('reports no end of a sign-in that expires', async () => {
    const { notifications } = await askedLogin(URL_MODE, accepted, false);
    expect(notifications).toEqual([]);
  });

  it.each(['decline', 'cancel'])('answers %s with one sentence', async (action) => {
    const { result } = await askedLogin(URL_MODE, { ok: true, result: { action } });
    expect(result).toEqual(
      sentence("The sign-in to server 'wiki' was declined; nothing was changed."),
    );
  });

  it('answers with the text when the client fails', async () => {
    const error = { code: -32_603, message: 'no browser' };
    const { result } = await askedLogin(URL_MODE, { ok: false, error });
    expect(result).toEqual(sentence(CHALLENGE_TEXT, { authUrl: URL }));
  });

  it.each([{}, { elicitation: {} }, { elicitation: { form: {} } }])(
    'asks no client that declares %j',
    async (capabilities) => {
      expect(await askedLogin(capabilities, accepted)).toEqual({
        result: sentence(CHALLENGE_TEXT, { authUrl: URL }),
        requests: [],
        notifications: [],
      });
    },
  );
});

describe('core_auth_logout', () => {
  it('reports an unknown server', async () => {
    expect(await call('logout', { server: 'x' })).toEqual(failure("Server 'x' not found."));
  });

  it('answers that a server that all users share needs no sign-in', async () => {
    expect(await call('logout', { server: 'files' })).toEqual(
      sentence("Server 'files' does not require authentication."),
    );
  });

  it('refuses a sign-out from a server that is connected automatically', async () => {
    const state = { ...SIGNED_OUT, isAutomatic: true };
    expect(await call('logout', { server: 'wiki' }, { state })).toEqual(
      failure(
        "Server 'wiki' uses SSO and is managed automatically. Sign out of the gateway to end its connection.",
      ),
    );
  });

  it('reports the outcome', async () => {
    const out = (logout: LogoutOutcome) =>
      call('logout', { server: 'wiki' }, { state: SIGNED_OUT, logout });
    expect(await out({ kind: 'signed-out' })).toEqual(
      sentence(
        "Successfully logged out from 'wiki'.\n\nThe server's tools are now hidden. Sign in again with core_auth_login.",
      ),
    );
    expect(await out({ kind: 'not-signed-in' })).toEqual(
      sentence("You are not signed in to server 'wiki'."),
    );
    expect(await out({ kind: 'failed', reason: 'the store is not available' })).toEqual(
      failure("Failed to log out from 'wiki': the store is not available"),
    );
  });
});

describe('the state of a server', () => {
  const state = { ...SIGNED_OUT, status: 'reauth_required', reason: 'the token expired' } as const;
  const shown = (name: string, facts: Facts, args: object = { name: 'wiki' }) =>
    callTool(name, args, { ...portsOver([wiki]), signIn: toSignInState(facts) });

  it.each(['core_service_status', 'core_mcpserver_get'])(
    'stands apart from the sign-in of the caller in %s',
    async (tool) => {
      expect(await shown(tool, { state })).toMatchObject({
        structuredContent: { signIn: { status: 'reauth_required', error: 'the token expired' } },
      });
      const { structuredContent } = await shown(tool, {});
      expect(structuredContent).not.toHaveProperty('signIn');
    },
  );

  it('stands apart from the sign-in of the caller in core_mcpserver_list', async () => {
    expect(await shown('core_mcpserver_list', { state }, {})).toMatchObject({
      structuredContent: {
        mcpServers: [
          { name: 'wiki', state: 'Auth Required', signIn: { status: 'reauth_required' } },
        ],
      },
    });
  });

  it('lets a restart report the sign-in to callers who are not signed in', async () => {
    const restarted = (status: SignInState['status']) =>
      shown('core_service_restart', { state: { ...SIGNED_OUT, status } });
    expect(await restarted('auth_required')).toEqual(
      sentence(
        'Service \'wiki\' requires authentication; sign in with core_auth_login(server="wiki")',
      ),
    );
    expect(await restarted('connected')).toEqual(sentence("Successfully restarted service 'wiki'"));
  });
});
