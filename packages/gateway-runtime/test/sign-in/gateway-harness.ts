import { createPrincipal, type JsonObject } from '@gateway/call-contract';
import { openConfiguration } from '@gateway/gateway-config';
import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import type { StateStore } from '@gateway/state-store';
import { pino } from 'pino';
import { listenGateway, type ListeningGateway } from '../../src/http/listening-gateway.ts';

/** A gateway in the process of the test. The name in `Authorization: Bearer <name>` is the caller. */
export interface SignInGateway {
  readonly gateway: ListeningGateway;
  readonly directory: ConfigDirectory;
  /** Everything that was logged. */
  readonly logs: readonly string[];
  /** Calls a meta-tool as a user. */
  readonly call: (user: string | undefined, name: string, args?: object) => Promise<ToolResult>;
  /** Calls a tool of the catalog as a user. */
  readonly callTool: (
    user: string | undefined,
    name: string,
    args?: object,
    toolset?: string,
  ) => Promise<ToolResult>;
  /** Starts a sign-in of a user to a server and returns its link. */
  readonly linkOf: (user: string | undefined, server: string) => Promise<string>;
  /** Signs a user out of a server. */
  readonly logout: (user: string | undefined, server: string) => Promise<ToolResult>;
  /** Sends a request of 2026-07-28 and returns its result. */
  readonly request: (
    user: string | undefined,
    method: string,
    params?: object,
    toolset?: string,
  ) => Promise<JsonObject>;
  readonly close: () => Promise<void>;
}

/** The result of a call. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly structuredContent: JsonObject | undefined;
}

const ISSUER = 'https://people.example';

const authenticate: NonNullable<Parameters<typeof listenGateway>[0]['authenticate']> = ({
  headers,
}) => {
  const name = /^Bearer (.*)$/u.exec(headers.authorization ?? '')?.[1];
  if (name === undefined) return { ok: false, status: 401, sentence: 'Sign in.' };
  return { ok: true, principal: createPrincipal({ issuer: ISSUER, subject: name }) };
};

const PREFIX = 'io.modelcontextprotocol';

const bodyOf = (method: string, params: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: { [`${PREFIX}/protocolVersion`]: '2026-07-28', [`${PREFIX}/clientCapabilities`]: {} },
    },
  });

const findName = (params: object): string | undefined => {
  const { name, uri } = params as { readonly name?: string; readonly uri?: string };
  return name ?? uri;
};

/** Options of {@link startSignInGateway}. */
export interface SignInGatewayOptions {
  readonly servers: Readonly<Record<string, object>>;
  readonly stateStore?: StateStore;
  readonly expose?: 'meta' | 'native';
  /** True when callers sign in. */
  readonly hasCallers?: boolean;
  readonly config?: object;
}

/** Starts a gateway. */
export const startSignInGateway = async (options: SignInGatewayOptions): Promise<SignInGateway> => {
  const { servers, stateStore, expose = 'meta', hasCallers = false, config = {} } = options;
  const directory = createTestConfigDirectory();
  directory.config({ auth: { allowPrivate: true }, ...config });
  for (const [name, spec] of Object.entries(servers))
    directory.server(name, { type: 'streamable-http', autoStart: true, ...spec });
  const opened = await openConfiguration(directory.path);
  if (!opened.ok) throw new Error('The configuration is refused.');
  const logs: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
  const gateway = await listenGateway({
    ...opened,
    ...(stateStore !== undefined && { stateStore }),
    ...(hasCallers && { authenticate }),
    address: { host: '127.0.0.1', port: 0 },
    expose,
    coreToolWrites: 'all',
    logger,
  });
  const request: SignInGateway['request'] = async (user, method, params = {}, toolset) => {
    const name = findName(params);
    const response = await fetch(new URL('/mcp', gateway.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name }),
        ...(user !== undefined && { authorization: `Bearer ${user}` }),
        ...(toolset !== undefined && { 'x-gateway-toolset': toolset }),
      },
      body: bodyOf(method, params),
    });
    const text = await response.text();
    const json = /^data: (\{.*\})$/mu.exec(text)?.[1] ?? text;
    const answer = JSON.parse(json) as { readonly result?: JsonObject; readonly error?: unknown };
    if (answer.result === undefined) throw new Error(JSON.stringify(answer.error));
    return answer.result;
  };
  const called = async (
    user: string | undefined,
    params: object,
    toolset?: string,
  ): Promise<ToolResult> => {
    const result = await request(user, 'tools/call', params, toolset);
    const [item] = result['content'] as readonly { readonly text: string }[];
    return {
      text: item?.text ?? '',
      isError: result['isError'] === true,
      structuredContent: result['structuredContent'] as JsonObject | undefined,
    };
  };
  const callTool: SignInGateway['callTool'] = (user, name, args = {}, toolset) =>
    expose === 'native'
      ? called(user, { name, arguments: args }, toolset)
      : called(user, { name: 'call_tool', arguments: { name, arguments: args } }, toolset);
  return {
    gateway,
    directory,
    logs,
    request,
    callTool,
    linkOf: async (user, server) => {
      const { structuredContent, text } = await callTool(user, 'core_auth_login', { server });
      const url = structuredContent?.['authUrl'];
      if (typeof url !== 'string') throw new Error(text);
      return url;
    },
    logout: (user, server) => callTool(user, 'core_auth_logout', { server }),
    call: (user, name, args = {}) => called(user, { name, arguments: args }),
    close: async () => {
      await gateway.drain(0);
      await gateway.close();
      directory.remove();
    },
  };
};
