import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRefusal } from '../answers.ts';
import type { Forwarder } from '../forward/forward-request.ts';
import { type OwnRequests, REQUEST_TOKEN_HEADER, type RequestTokens } from '../own-requests.ts';
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
  readonly own: OwnRequests;
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

/** Runs a route for a user who may use it: signed in where that is required, and from a page of the portal. */
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
  // A page that was opened in another session sends the token of that one, also to read.
  const token = request.headers[REQUEST_TOKEN_HEADER];
  const mayOmit = token === undefined && SAFE_METHODS.has(request.method ?? '');
  const hasToken = mayOmit || context.tokens.isToken(token, access.sessionId);
  if (!context.own.isOfPage(request) || !hasToken) {
    answerRefusal(response, 'forged-request');
    return;
  }
  await run(access);
};

/** Where the request of a user goes. */
interface Target extends Pick<
  Parameters<Forwarder['forward']>[0],
  'url' | 'token' | 'unreachable' | 'namesAddress'
> {
  /** A token that the service refuses ends the session. */
  readonly endsSession?: true;
}

/** Persons who do not sign in have one session in common. */
const countedAs = (
  { kind, sessionId }: AllowedAccess,
  { socket }: PortalExchange['request'],
): string => (kind === 'open' ? (socket.remoteAddress ?? '') : sessionId);

/** Ends a session whose token a service refuses, and its tokens. */
const endRefused = async ({ signIn }: PortalContext, sessionId: string): Promise<void> => {
  const ended = await signIn?.sessions.end(sessionId);
  // The answer does not wait for the provider.
  if (ended !== undefined) void signIn?.provider.revoke(ended);
};

/** Forwards a request of a user until the session of the user ends. */
const forwardFor = async (
  context: PortalContext,
  exchange: PortalExchange,
  toTarget: (access: AllowedAccess) => Target,
): Promise<void> => {
  const { request, response } = exchange;
  // Before the session is read: one that ends after that ends the request.
  const running = context.running.add(context.signIn?.cookies.session.read(request) ?? '');
  try {
    await withUser(context, exchange, (access) => {
      const { endsSession = false, ...target } = toTarget(access);
      const endSession = (): Promise<void> => {
        // The request that learns it is answered with the refusal of the service.
        running.release();
        return endRefused(context, access.sessionId);
      };
      return context.forwarder.forward({
        request,
        response,
        ...target,
        countedAs: countedAs(access, request),
        sessionEnd: running.signal,
        ...(endsSession && { onUnauthorized: endSession }),
      });
    });
  } finally {
    running.release();
  }
};

/** Forwards a request to the gateway in the name of the user. A token that the gateway refuses ends the session. */
export const forwardToGateway = (context: PortalContext, exchange: PortalExchange): Promise<void> =>
  forwardFor(context, exchange, (access) => ({
    url: context.settings.gatewayUrl,
    token: findSessionToken(access),
    unreachable: 'gateway-unreachable',
    namesAddress: true,
    endsSession: true,
  }));

/** Answers a user with the metrics of the gateway, which are read without the token of the user. */
export const forwardToMetrics = async (
  context: PortalContext,
  exchange: PortalExchange,
): Promise<void> => {
  const { request, response } = exchange;
  const { metricsUrl: url } = context.settings;
  if (url === undefined) answerRefusal(response, 'not-found');
  else if (!SAFE_METHODS.has(request.method ?? '')) answerRefusal(response, 'method-not-allowed');
  else
    await forwardFor(context, exchange, () => ({
      url,
      token: undefined,
      unreachable: 'metrics-unreachable',
    }));
};

/** The path in front of which the operations of agent-manager are. */
const AGENTS = 'agent-manager/';

const agentManagerTarget = (base: URL, { path, query }: PortalExchange): URL | undefined => {
  const directory = base.href.endsWith('/') ? base : new URL(`${base.href}/`);
  const text = path.slice(AGENTS.length);
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
  const url = agentManagerTarget(agentManagerUrl, exchange);
  if (url === undefined) answerRefusal(response, 'not-found');
  else
    await forwardFor(context, exchange, (access) => ({
      url,
      token: findSessionToken(access),
      unreachable: 'agent-manager-unreachable',
    }));
};
