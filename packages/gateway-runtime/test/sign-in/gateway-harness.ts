import { createPrincipal, type JsonObject } from '@gateway/call-contract';
import { openConfiguration } from '@gateway/gateway-config';
import { createTestConfigDirectory } from '@gateway/repo-checks';
import type { StateStore } from '@gateway/state-store';
import { createTestUser, signIn } from '@gateway/test-peers';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { listenGateway } from '../../src/http/listening-gateway.ts';

type User = string | undefined;
type Headers = Readonly<Record<string, string>>;

interface Message {
  readonly method: string;
  readonly params: object;
}

const authenticate: NonNullable<Parameters<typeof listenGateway>[0]['authenticate']> = ({
  headers,
}) => {
  const subject = /^Bearer (.*)$/u.exec(headers.authorization ?? '')?.[1];
  if (subject === undefined) return { ok: false, status: 401, sentence: 'Sign in.' };
  return { ok: true, principal: createPrincipal({ issuer: 'https://people.example', subject }) };
};

const REVISION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';
const ENVELOPE = { [`${PREFIX}/protocolVersion`]: REVISION, [`${PREFIX}/clientCapabilities`]: {} };

/** The configuration of a gateway whose callers have tokens of an issuer. */
export const withCallersOf = (issuer: object) => ({
  http: { publicUrl: 'https://gateway.test' },
  auth: { mode: 'resource-server', allowPrivate: true, issuers: [issuer] },
});

/** Closes something at the end of the test. */
export const closeAtEnd = async <T extends { readonly close: () => Promise<void> }>(
  starting: Promise<T>,
): Promise<T> => {
  const started = await starting;
  onTestFinished(() => started.close());
  return started;
};

/** Reads the methods of the notifications of an event stream into an array. */
const readMethods = (response: Response, methods: string[]): void => {
  if (response.body === null || !response.ok) throw new Error(`status ${response.status}`);
  const read = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
      text = lines.pop() ?? '';
      for (const [, json = ''] of lines.map((line) => /^data: (\{.*)/u.exec(line) ?? [])) {
        const { method } = JSON.parse(json || '{}') as { readonly method?: string };
        if (method !== undefined) methods.push(method);
      }
    }
  };
  read(response.body as unknown as AsyncIterable<Uint8Array>).catch(() => undefined);
};

/** Options of {@link startSignInGateway}. */
export interface SignInGatewayOptions {
  readonly servers: Readonly<Record<string, object>>;
  readonly stateStore?: StateStore;
  readonly expose?: 'meta' | 'native';
  /** True when callers sign in: the name in `Authorization: Bearer <name>` is the caller. */
  readonly hasCallers?: boolean;
  readonly config?: object;
}

export type SignInGateway = Awaited<ReturnType<typeof startSignInGateway>>;

/** Starts a gateway in the process of the test, until the test is over. */
export const startSignInGateway = async (options: SignInGatewayOptions) => {
  const { servers, stateStore, expose = 'meta', hasCallers = false, config = {} } = options;
  const directory = createTestConfigDirectory();
  directory.config({ auth: { allowPrivate: true }, ...config });
  for (const [name, spec] of Object.entries(servers))
    directory.server(name, { type: 'streamable-http', autoStart: true, ...spec });
  const opened = await openConfiguration(directory.path);
  if (!opened.ok) throw new Error('The configuration is refused.');
  const logs: string[] = [];
  const gateway = await listenGateway({
    ...opened,
    ...(stateStore !== undefined && { stateStore }),
    ...(hasCallers && { authenticate }),
    address: { host: '127.0.0.1', port: 0 },
    expose,
    coreToolWrites: 'all',
    logger: pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) }),
  });
  onTestFinished(async () => {
    await gateway.drain(0);
    await gateway.close();
    directory.remove();
  });
  const url = new URL('/mcp', gateway.url);
  const post = (user: User, body: Message, headers: Headers = {}, more: RequestInit = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(user !== undefined && { authorization: `Bearer ${user}` }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      ...more,
    });
  const postModern = (user: User, { method, params }: Message, headers: Headers, more = {}) => {
    const modern = { 'mcp-protocol-version': REVISION, 'mcp-method': method, ...headers };
    return post(user, { method, params: { ...params, _meta: ENVELOPE } }, modern, more);
  };
  /** Sends a request of 2026-07-28 and returns its result. */
  const request = async (
    user: User,
    method: string,
    params: { readonly name?: string; readonly uri?: string } & object = {},
    toolset?: string,
  ): Promise<JsonObject> => {
    const name = params.name ?? params.uri;
    const response = await postModern(
      user,
      { method, params },
      {
        ...(name !== undefined && { 'mcp-name': name }),
        ...(toolset !== undefined && { 'x-gateway-toolset': toolset }),
      },
    );
    const text = await response.text();
    const json = /^data: (\{.*\})$/mu.exec(text)?.[1] ?? text;
    const answer = JSON.parse(json) as { readonly result?: JsonObject; readonly error?: unknown };
    if (answer.result === undefined) throw new Error(JSON.stringify(answer.error));
    return answer.result;
  };
  /** Calls a meta-tool, or a tool with native exposure. */
  const call = async (user: User, name: string, args: object = {}, toolset?: string) => {
    const result = await request(user, 'tools/call', { name, arguments: args } as object, toolset);
    const [item] = result['content'] as readonly { readonly text: string }[];
    return {
      text: item?.text ?? '',
      isError: result['isError'] === true,
      structuredContent: result['structuredContent'] as JsonObject | undefined,
    };
  };
  /** Calls a tool of the catalog. */
  const callTool = (user: User, name: string, args: object = {}, toolset?: string) =>
    expose === 'native'
      ? call(user, name, args, toolset)
      : call(user, 'call_tool', { name, arguments: args }, toolset);
  /** Starts a sign-in to a server and returns its link. */
  const startLogin = async (user: User, server: string): Promise<string> => {
    const { structuredContent, text } = await callTool(user, 'core_auth_login', { server });
    const link = structuredContent?.['authUrl'];
    if (typeof link !== 'string') throw new Error(text);
    return link;
  };
  /** Opens a stream of notifications. */
  const openStream = async (open: (signal: AbortSignal) => Promise<Response>) => {
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const methods: string[] = [];
    readMethods(await open(abort.signal), methods);
    return methods;
  };
  return {
    gateway,
    directory,
    /** Everything that was logged. */
    logs,
    request,
    call,
    callTool,
    startLogin,
    logout: (user: User, server: string) => callTool(user, 'core_auth_logout', { server }),
    /** Signs a user in to a server with a browser. */
    walk: async (user: User, server: string): Promise<void> => {
      const link = await startLogin(user, server);
      const { status, text } = await signIn(link, createTestUser(user ?? 'somebody'));
      if (status !== 200) throw new Error(`${String(status)} ${text}`);
    },
    /** Returns the names of the tools of servers that a user sees. */
    listTools: async (user?: string): Promise<readonly string[]> => {
      const { tools } = JSON.parse((await call(user, 'list_tools')).text) as {
        readonly tools: readonly { readonly name: string }[];
      };
      return tools.map(({ name }) => name).filter((name) => name.startsWith('x_'));
    },
    /** Calls the tool `whoami` of a server, which returns the facts of the token. */
    whoami: (user: User, server: string) => callTool(user, `x_${server}_whoami`),
    /** Returns the sign-ins of a user in `auth://status`. */
    readStatus: async (user?: string): Promise<readonly JsonObject[]> => {
      const { contents } = await request(user, 'resources/read', { uri: 'auth://status' });
      const [status] = contents as readonly { readonly text: string }[];
      const { servers: all } = JSON.parse(status?.text ?? '') as { servers: JsonObject[] };
      return all;
    },
    /** Opens a stream of 2026-07-28 on which a user waits for changed lists of tools; returns the methods of its messages. */
    listen: (user: string): Promise<readonly string[]> =>
      openStream((signal) => {
        const params = { notifications: { toolsListChanged: true } };
        return postModern(user, { method: 'subscriptions/listen', params }, {}, { signal });
      }),
    /** Opens a session of 2025-11-25 and its stream. */
    openSession: async (user?: string) => {
      const protocolVersion = '2025-11-25';
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion, capabilities: {}, clientInfo };
      const initialized = await post(user, { method: 'initialize', params });
      await initialized.text();
      const id = initialized.headers.get('mcp-session-id') ?? '';
      const own = { 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion };
      const headers = {
        accept: 'text/event-stream',
        ...(user !== undefined && { authorization: `Bearer ${user}` }),
        ...own,
      };
      const methods = await openStream((signal) => fetch(url, { headers, signal }));
      const send = async (method: string, sent: object): Promise<string> =>
        (await post(user, { method, params: sent }, own)).text();
      return { methods, send };
    },
  };
};
