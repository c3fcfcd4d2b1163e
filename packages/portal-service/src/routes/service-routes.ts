import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRefusal } from '../answers.ts';
import type { Forwarder } from '../forward/forward-request.ts';
import {
  type PortalRequestChecks,
  REQUEST_TOKEN_HEADER,
  type RequestTokens,
} from '../own-requests.ts';
import type { PortalSettings } from '../settings.ts';
import type { SignInParts } from '../user/sign-in-routes.ts';
import {
  type UserAccess,
  type ReadAccess,
  type RunningRequests,
  findSessionToken,
} from '../user/user-access.ts';
import type { AssetFiles, IndexPage } from '../web-files.ts';

/** The parts that the routes of a portal share. */
export interface PortalContext {
  readonly settings: PortalSettings;
  readonly access: ReadAccess;
  readonly own: PortalRequestChecks;
  readonly tokens: RequestTokens;
  readonly forwarder: Forwarder;
  readonly running: RunningRequests;
  readonly indexPage: IndexPage;
  readonly assets: AssetFiles;
  /** Absent where users do not sign in. */
  readonly signIn?: SignInParts;
}

/** One request of a browser. */
export interface PortalExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path after the prefix of the portal, without a slash in front. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A user who may use the services. */
type AllowedAccess = Exclude<UserAccess, { kind: 'signed-out' }>;

/** Runs a route if the user is signed in, where required, and the request comes from a page of the portal. */
export const withUser = async (
  context: PortalContext,
  { request, response }: PortalExchange,
  run: (access: AllowedAccess) => Promise<void>,
): Promise<void> => {
  const access = await context.access(request);
  if (access.kind === 'signed-out') {
    answerRefusal(response, 'signed-out');
    return;
  }
  // A page of an earlier session sends the token of that session, also with GET.
  const token = request.headers[REQUEST_TOKEN_HEADER];
  const mayOmit = token === undefined && SAFE_METHODS.has(request.method ?? '');
  const hasToken = mayOmit || context.tokens.isToken(token, access.sessionId);
  if (!context.own.isFromPortal(request) || !hasToken) {
    answerRefusal(response, 'forged-request');
    return;
  }
  await run(access);
};

/** The target of a forwarded request. */
interface Target extends Pick<
  Parameters<Forwarder['forward']>[0],
  'url' | 'token' | 'unreachable' | 'namesAddress'
> {
  /** A token that the service refuses ends the session. */
  readonly endsSession?: true;
}

/** Returns the key for request limits: the address without sign-in, where all users share a session. */
const toLimitKey = (
  { kind, sessionId }: AllowedAccess,
  { socket }: PortalExchange['request'],
): string => (kind === 'open' ? (socket.remoteAddress ?? '') : sessionId);

/** Ends a session whose token a service refused, and revokes its tokens. */
const endRefusedSession = async ({ signIn }: PortalContext, sessionId: string): Promise<void> => {
  const ended = await signIn?.sessions.end(sessionId);
  // The answer does not wait for the provider.
  if (ended !== undefined) void signIn?.provider.revoke(ended);
};

/** Forwards a request of a user until the session of the user ends. */
const forwardForUser = async (
  context: PortalContext,
  exchange: PortalExchange,
  toTarget: (access: AllowedAccess) => Target,
): Promise<void> => {
  const { request, response } = exchange;
  // Registered before the session is read, so that the end of the session cancels the request.
  const running = context.running.add(context.signIn?.cookies.session.read(request) ?? '');
  try {
    await withUser(context, exchange, (access) => {
      const { endsSession = false, ...target } = toTarget(access);
      const endSession = (): Promise<void> => {
        // Keeps this request running, which returns the refusal of the service.
        running.release();
        return endRefusedSession(context, access.sessionId);
      };
      return context.forwarder.forward({
        request,
        response,
        ...target,
        countedAs: toLimitKey(access, request),
        sessionEnd: running.signal,
        ...(endsSession && { onUnauthorized: endSession }),
      });
    });
  } finally {
    running.release();
  }
};

/** Forwards a request to the gateway on behalf of the user. A token that the gateway refuses ends the session. */
export const forwardToGateway = (context: PortalContext, exchange: PortalExchange): Promise<void> =>
  forwardForUser(context, exchange, (access) => ({
    url: context.settings.gatewayUrl,
    token: findSessionToken(access),
    unreachable: 'gateway-unreachable',
    namesAddress: true,
    endsSession: true,
  }));

/** Forwards a request to the metrics of the gateway, without the token of the user. */
export const forwardToMetrics = async (
  context: PortalContext,
  exchange: PortalExchange,
): Promise<void> => {
  const { request, response } = exchange;
  const { metricsUrl: url } = context.settings;
  if (url === undefined) answerRefusal(response, 'not-found');
  else if (!SAFE_METHODS.has(request.method ?? '')) answerRefusal(response, 'method-not-allowed');
  else
    await forwardForUser(context, exchange, () => ({
      url,
      token: undefined,
      unreachable: 'metrics-unreachable',
    }));
};

/** The path prefix of agent-manager operations. */
const AGENT_MANAGER_PREFIX = 'agent-manager/';

const resolveAgentManagerUrl = (base: URL, { path, query }: PortalExchange): URL | undefined => {
  const directory = base.href.endsWith('/') ? base : new URL(`${base.href}/`);
  const text = path.slice(AGENT_MANAGER_PREFIX.length);
  if (!URL.canParse(text, directory.href)) return undefined;
  const url = new URL(text, directory);
  url.search = query.toString();
  return url.href.startsWith(new URL('api/v1/', directory).href) ? url : undefined;
};

/** Forwards a request below `agent-manager/` to the same path of agent-manager. */
export const forwardToAgentManager = async (
  context: PortalContext,
  exchange: PortalExchange,
): Promise<void> => {
  const { response } = exchange;
  const { agentManagerUrl } = context.settings;
  if (agentManagerUrl === undefined) {
    answerRefusal(response, 'no-agent-manager');
    return;
  }
  const url = resolveAgentManagerUrl(agentManagerUrl, exchange);
  if (url === undefined) answerRefusal(response, 'not-found');
  else
    await forwardForUser(context, exchange, (access) => ({
      url,
      token: findSessionToken(access),
      unreachable: 'agent-manager-unreachable',
    }));
};
