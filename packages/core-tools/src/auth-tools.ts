import { ANONYMOUS, type Caller, isJsonObject, type JsonObject } from '@gateway/call-contract';
import type { TextArgument } from './arguments.ts';
import {
  ASKS_OUTSIDE,
  type CoreTool,
  defineCoreTool,
  createErrorResult,
  createSentenceResult,
  STARTS,
} from './core-tool.ts';
import type {
  CoreCallContext,
  CoreToolPorts,
  LoginOutcome,
  LogoutOutcome,
  SignInPort,
  SignInState,
  ServerEntry,
} from './ports.ts';
import { STATES } from './server-info.ts';

type LoginTexts = {
  readonly [K in LoginOutcome['kind']]: (
    server: string,
    outcome: Extract<LoginOutcome, { readonly kind: K }>,
  ) => string;
};

/** The texts of the outcomes of `core_auth_login`. */
const loginTexts: LoginTexts = {
  'signed-in': (server) => `Server '${server}' is already authenticated.`,
  connected: (server, { toolsCount }) =>
    `Successfully connected to '${server}'!\n\nThe server's tools are now available: ${String(toolsCount)} tools.`,
  challenge: (server, { status, url }) =>
    `Authentication Required\n\nServer: ${server}\nStatus: ${status}\n\nPlease sign in to connect to this server:\n\n${url}\n\nAfter signing in, run this tool again to complete the connection.`,
  'not-configured': (server, { remedy }) =>
    `OAuth is not configured. Server '${server}' requires authentication but OAuth proxy is not enabled. ${remedy}`,
  'no-metadata': (server, { problem }) =>
    `Cannot authenticate to '${server}': RFC 9728 protected resource metadata ${problem === undefined ? 'not found' : `cannot be used: ${problem}`}. On the MCPServer set spec.auth.type=oauth and spec.auth.authorizationServer.issuer to pin the authorization server.`,
  'connect-failed': (server, { reason }) =>
    `Failed to connect to '${server}': ${reason}. Run core_auth_login again to try again.`,
  failed: (server, { reason }) => `Cannot authenticate to '${server}': ${reason}`,
  'rate-limited': (server, { limit, remaining, retryAfterSeconds }) =>
    `Too many sign-in attempts for '${server}': ${String(limit)} per minute are allowed, ${String(remaining)} attempts remain; try again in ${String(retryAfterSeconds)} s`,
};

/** Returns the text of an outcome of `core_auth_login`. */
const formatLogin = <K extends LoginOutcome['kind']>(
  server: string,
  outcome: Extract<LoginOutcome, { readonly kind: K }> & { readonly kind: K },
): string => loginTexts[outcome.kind](server, outcome);

/** Returns the text of an outcome of `core_auth_logout`. */
const formatLogout = (server: string, outcome: LogoutOutcome): string => {
  switch (outcome.kind) {
    case 'signed-out':
      return `Successfully logged out from '${server}'.\n\nThe server's tools are now hidden. Sign in again with core_auth_login.`;
    case 'not-signed-in':
      return `You are not signed in to server '${server}'.`;
    case 'failed':
      return `Failed to log out from '${server}': ${outcome.reason}`;
  }
};

/** A started sign-in. */
export type SignInChallenge = Extract<LoginOutcome, { readonly kind: 'challenge' }>;

/** The user's answer to the link; `unsupported` when the client cannot show it. */
export type LinkAnswer = 'accepted' | 'declined' | 'unsupported';

const canTakeLinks = ({ capabilities }: Caller): boolean => {
  const { elicitation } = capabilities;
  return isJsonObject(elicitation) && isJsonObject(elicitation['url']);
};

const toLinkAnswer = (result: JsonObject): LinkAnswer =>
  result['action'] === 'accept' ? 'accepted' : 'declined';

/** Opens a channel that outlives the call and reports the end of the sign-in to the client's session, where it has one. */
const reportCompletion = async (
  caller: Caller,
  { id }: SignInChallenge,
  signIn: Pick<SignInPort, 'waitForCompletion'>,
): Promise<void> => {
  const opened = await caller.openNotificationChannel?.(`sign-in:${id}`);
  if (opened?.ok !== true) return;
  const { channel } = opened;
  if (await signIn.waitForCompletion(id)) {
    channel.notify({ method: 'notifications/elicitation/complete', params: { elicitationId: id } });
  }
  channel.end();
};

/**
 * Sends the link of a started sign-in to a client that declares URL elicitation, and reports to it when the browser has completed
 * the sign-in. Never rejects.
 *
 * @spec MCP 2025-11-25 elicitation, URL mode
 */
const sendSignInLink = async (
  caller: Caller | undefined,
  { server, challenge }: { readonly server: string; readonly challenge: SignInChallenge },
  signIn: Pick<SignInPort, 'waitForCompletion'>,
): Promise<LinkAnswer> => {
  if (caller === undefined || !canTakeLinks(caller)) return 'unsupported';
  const { id, url } = challenge;
  const message = `Sign in to the MCP server '${server}'.`;
  void reportCompletion(caller, challenge, signIn);
  const answer = await caller.ask({
    method: 'elicitation/create',
    params: { mode: 'url', elicitationId: id, url, message },
  });
  return answer.ok ? toLinkAnswer(answer.result) : 'unsupported';
};

const REQUIRED = "Error: 'server' argument is required and must be a string";

const SERVER = {
  type: 'string',
  required: true,
  description: 'Name of the MCP server',
  refusals: { missing: REQUIRED, wrongType: REQUIRED },
} as const satisfies TextArgument;

const findServer = (ports: CoreToolPorts, name: string): ServerEntry | undefined =>
  ports.servers().find((server) => server.name === name);

/** The answer to a sign-in to a server that all users share. */
const formatCommonSignIn = ({ name, state }: ServerEntry): string =>
  STATES[state].isConnected
    ? `Server '${name}' is already authenticated and connected.`
    : `Server '${name}' does not require authentication.`;

const answerChallenge = async (
  server: string,
  challenge: SignInChallenge,
  { ports, context }: { readonly ports: CoreToolPorts; readonly context: CoreCallContext },
): Promise<JsonObject> => {
  const answer = await sendSignInLink(context.caller, { server, challenge }, ports.signIn);
  if (answer === 'declined')
    return createSentenceResult(
      `The sign-in to server '${server}' was declined; nothing was changed.`,
    );
  const { url: authUrl } = challenge;
  return createSentenceResult(formatLogin(server, challenge), { authUrl });
};

/** The outcomes of a sign-in that are failures of the tool. */
const isFailure = ({ kind }: Exclude<LoginOutcome, SignInChallenge>): boolean =>
  kind !== 'connected' && kind !== 'signed-in';

/** The answer to a sign-in to a server that the gateway connects the user to by itself. */
const createAutomaticResult = ({ server, status }: SignInState): JsonObject =>
  status === 'connected'
    ? createSentenceResult(formatLogin(server, { kind: 'signed-in' }))
    : createErrorResult(
        `Server '${server}' uses SSO and is connected automatically. Sign in to the gateway again if it is not connected.`,
      );

const runLogin = async (
  server: string,
  ports: CoreToolPorts,
  context: CoreCallContext,
): Promise<JsonObject> => {
  const view = findServer(ports, server);
  if (view === undefined)
    return createErrorResult(
      `Server '${server}' not found. Use list_tools to see available servers.`,
    );
  const { signIn } = ports;
  const { principal = ANONYMOUS } = context;
  const state = signIn.findState(server, principal);
  if (state === undefined) return createSentenceResult(formatCommonSignIn(view));
  if (state.isAutomatic) return createAutomaticResult(state);
  const outcome = await signIn.login(server, principal);
  if (outcome.kind === 'challenge') return answerChallenge(server, outcome, { ports, context });
  const text = formatLogin(server, outcome);
  return isFailure(outcome) ? createErrorResult(text) : createSentenceResult(text);
};

const runLogout = async (
  server: string,
  ports: CoreToolPorts,
  { principal = ANONYMOUS }: CoreCallContext,
): Promise<JsonObject> => {
  if (findServer(ports, server) === undefined)
    return createErrorResult(`Server '${server}' not found.`);
  const { signIn } = ports;
  const state = signIn.findState(server, principal);
  if (state === undefined)
    return createSentenceResult(`Server '${server}' does not require authentication.`);
  if (state.isAutomatic)
    return createErrorResult(
      `Server '${server}' uses SSO and is managed automatically. Sign out of the gateway to end its connection.`,
    );
  const outcome = await signIn.logout(server, principal);
  const text = formatLogout(server, outcome);
  return outcome.kind === 'failed' ? createErrorResult(text) : createSentenceResult(text);
};

/** The tools about signing in to servers. @spec §5.2 */
export const authTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_auth_login',
    description:
      'Sign in to an MCP server that requires it: returns a link for the user; call again after the sign-in.',
    annotations: ASKS_OUTSIDE,
    arguments: { server: SERVER },
    run: ({ server }, ports, context) => runLogin(server, ports, context),
  }),
  defineCoreTool({
    name: 'core_auth_logout',
    description: 'Sign out of an MCP server; other users stay signed in.',
    // It revokes tokens at the authorization server.
    annotations: { ...STARTS, openWorldHint: true },
    writes: 'own',
    arguments: { server: SERVER },
    run: ({ server }, ports, context) => runLogout(server, ports, context),
  }),
];
