import { ANONYMOUS, type JsonObject } from '@gateway/call-contract';
import { ASKS_OUTSIDE, STARTS } from '../tool/annotations.ts';
import type { TextArgument } from '../arguments/core-argument.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import type { CoreCallContext, CoreToolPorts, ServerView } from '../tool/ports.ts';
import type { LoginOutcome, SignInState } from '../tool/sign-in-port.ts';
import { sendSignInLink, type SignInChallenge } from './sign-in-link.ts';
import { loginText, logoutText } from './sign-in-texts.ts';
import { STATES } from './state-table.ts';
import { failedResult, sentenceResult } from '../tool/result.ts';

const REQUIRED = "Error: 'server' argument is required and must be a string";

const SERVER = {
  type: 'string',
  required: true,
  description: 'Name of the MCP server',
  refusals: { missing: REQUIRED, wrongType: REQUIRED },
} as const satisfies TextArgument;

const serverOf = (ports: CoreToolPorts, name: string): ServerView | undefined =>
  ports.servers().find((server) => server.name === name);

/** The answer to a sign-in to a server that all persons share. */
const sharedText = ({ name, state }: ServerView): string =>
  STATES[state].isConnected
    ? `Server '${name}' is already authenticated and connected.`
    : `Server '${name}' does not require authentication.`;

const challengeResult = async (
  server: string,
  challenge: SignInChallenge,
  { ports, context }: { readonly ports: CoreToolPorts; readonly context: CoreCallContext },
): Promise<JsonObject> => {
  const answer = await sendSignInLink(context.caller, { server, challenge }, ports.signIn);
  if (answer === 'declined')
    return sentenceResult(`The sign-in to server '${server}' was declined; nothing was changed.`);
  const { url: authUrl } = challenge;
  return sentenceResult(loginText(server, challenge), { authUrl });
};

/** The outcomes of a sign-in that are failures of the tool. */
const isFailure = ({ kind }: Exclude<LoginOutcome, SignInChallenge>): boolean =>
  kind !== 'connected' && kind !== 'signed-in';

/** The answer to a sign-in to a server that the gateway connects the person to by itself. */
const automaticResult = ({ server, status }: SignInState): JsonObject =>
  status === 'connected'
    ? sentenceResult(loginText(server, { kind: 'signed-in' }))
    : failedResult(
        `Server '${server}' uses SSO and is connected automatically. Sign in to the gateway again if it is not connected.`,
      );

const login = async (
  server: string,
  ports: CoreToolPorts,
  context: CoreCallContext,
): Promise<JsonObject> => {
  const view = serverOf(ports, server);
  if (view === undefined)
    return failedResult(`Server '${server}' not found. Use list_tools to see available servers.`);
  const { signIn } = ports;
  const { principal = ANONYMOUS } = context;
  const state = signIn.stateOf(server, principal);
  if (state === undefined) return sentenceResult(sharedText(view));
  if (state.isAutomatic) return automaticResult(state);
  const outcome = await signIn.login(server, principal);
  if (outcome.kind === 'challenge') return challengeResult(server, outcome, { ports, context });
  const text = loginText(server, outcome);
  return isFailure(outcome) ? failedResult(text) : sentenceResult(text);
};

const logout = async (
  server: string,
  ports: CoreToolPorts,
  { principal = ANONYMOUS }: CoreCallContext,
): Promise<JsonObject> => {
  if (serverOf(ports, server) === undefined) return failedResult(`Server '${server}' not found.`);
  const { signIn } = ports;
  const state = signIn.stateOf(server, principal);
  if (state === undefined)
    return sentenceResult(`Server '${server}' does not require authentication.`);
  if (state.isAutomatic)
    return failedResult(
      `Server '${server}' uses SSO and is managed automatically. Sign out of the gateway to end its connection.`,
    );
  const outcome = await signIn.logout(server, principal);
  const text = logoutText(server, outcome);
  return outcome.kind === 'failed' ? failedResult(text) : sentenceResult(text);
};

/** The tools about signing in to servers. @spec §5.2 */
export const authTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_auth_login',
    description:
      'Sign in to an MCP server that requires it: returns a link for the user; call again after the sign-in.',
    annotations: ASKS_OUTSIDE,
    arguments: { server: SERVER },
    run: ({ server }, ports, context) => login(server, ports, context),
  }),
  defineCoreTool({
    name: 'core_auth_logout',
    description: 'Sign out of an MCP server; other users stay signed in.',
    // It revokes tokens at the authorization server.
    annotations: { ...STARTS, openWorldHint: true },
    writes: 'own',
    arguments: { server: SERVER },
    run: ({ server }, ports, context) => logout(server, ports, context),
  }),
];
