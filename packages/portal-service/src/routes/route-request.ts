import { answerJson, answerRefusal } from '../answers.ts';
import {
  forwardToAgentManager,
  forwardToGateway,
  forwardToMetrics,
  type PortalContext,
  type PortalExchange,
  withUser,
} from './service-routes.ts';
import { completeSignIn, endSession, startSignIn } from '../user/sign-in-routes.ts';

/** The path and the query of a request. */
interface RequestTarget {
  /** As sent: no segment is resolved or decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Parses the target of a request. Every text has a target, also one that is no URL. */
export const requestTarget = (url = '/'): RequestTarget => {
  const at = url.indexOf('?');
  return at === -1
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
};

/** Answers with what the web application knows about its user and its services. */
const answerSession = async (
  { access, settings, tokens, signIn }: PortalContext,
  { request, response }: PortalExchange,
): Promise<void> => {
  if (request.method !== 'GET') {
    answerRefusal(response, 'method-not-allowed');
    return;
  }
  const who = await access(request);
  const { agentManagerUrl, metricsUrl, labelDomain, gatewayUrl } = settings;
  answerJson(response, 200, {
    signInRequired: signIn !== undefined,
    ...(who.kind === 'signed-in' &&
      signIn !== undefined && {
        user: { id: signIn.userId(who), name: who.session.name },
      }),
    ...(who.kind !== 'signed-out' && {
      token: tokens.computeToken(who.sessionId),
      gatewayUrl: gatewayUrl.href,
    }),
    hasAgentManager: agentManagerUrl !== undefined,
    hasMetrics: metricsUrl !== undefined,
    ...(labelDomain !== undefined && { labelDomain }),
  });
};

/** Answers the routes below `auth/`. */
const answerSignIn = async (context: PortalContext, exchange: PortalExchange): Promise<void> => {
  const { signIn } = context;
  const { request, response, path, query } = exchange;
  const isGet = request.method === 'GET';
  if (signIn === undefined) answerRefusal(response, 'not-found');
  else if (path === 'auth/start' && isGet) await startSignIn(signIn, { request, response, query });
  else if (path === 'auth/callback' && isGet)
    await completeSignIn(signIn, { request, response, query });
  else if (path === 'auth/end' && request.method === 'POST') {
    await withUser({ ...context, access: signIn.storedAccess }, exchange, async ({ sessionId }) => {
      const url = await endSession(signIn, sessionId);
      response.setHeader('set-cookie', signIn.cookies.session.write(undefined));
      answerJson(response, 200, { url: url.href });
    });
  } else answerRefusal(response, 'not-found');
};

const ASSETS = 'assets/';
const PAGE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const answerAsset = (context: PortalContext, { request, response, path }: PortalExchange): void => {
  if (PAGE_METHODS.has(request.method ?? ''))
    context.assets.answer(path.slice(ASSETS.length), request, response);
  else answerRefusal(response, 'method-not-allowed');
};

const answerPage = (context: PortalContext, { request, response }: PortalExchange): void => {
  if (PAGE_METHODS.has(request.method ?? '')) context.indexPage(request, response);
  else answerRefusal(response, 'method-not-allowed');
};

/** Answers one request. Rejects when the store of the sessions or the provider does not answer. */
export const routeRequest = async (
  context: PortalContext,
  exchange: PortalExchange,
): Promise<void> => {
  const { path } = exchange;
  if (path === 'session') await answerSession(context, exchange);
  else if (path.startsWith('auth/')) await answerSignIn(context, exchange);
  else if (path === 'mcp') await forwardToGateway(context, exchange);
  else if (path.startsWith('agent-manager/')) await forwardToAgentManager(context, exchange);
  else if (path === 'metrics') await forwardToMetrics(context, exchange);
  else if (path.startsWith(ASSETS)) answerAsset(context, exchange);
  else answerPage(context, exchange);
};
