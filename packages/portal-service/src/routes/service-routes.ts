import { answerRefusal } from '../answers/json-answer.ts';
import { REQUEST_TOKEN_HEADER } from '../guard/request-token.ts';
import { tokenOf, type PersonAccess } from '../person/person-access.ts';
import type { PortalContext, PortalExchange } from './portal-context.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A person who may use the services. */
type AllowedAccess = Exclude<PersonAccess, { kind: 'signed-out' }>;

/** Runs a route for a person who may use it: signed in where that is required, and from a page of the portal. */
export const withPerson = async (
  context: PortalContext,
  { request, response }: PortalExchange,
  run: (access: AllowedAccess) => Promise<void>,
): Promise<void> => {
  const access = await context.access(request);
  if (access.kind === 'signed-out') {
    answerRefusal(response, 'signed-out');
    return;
  }
  const isSafe = SAFE_METHODS.has(request.method ?? '');
  const hasToken = context.tokens.isToken(request.headers[REQUEST_TOKEN_HEADER], access.sessionId);
  if (!context.own.isOfPage(request) || (!isSafe && !hasToken)) {
    answerRefusal(response, 'forged-request');
    return;
  }
  await run(access);
};

/** Forwards a request to the gateway in the name of the person. A token that the gateway refuses ends the session. */
export const forwardToGateway = (
  context: PortalContext,
  { request, response, ...rest }: PortalExchange,
): Promise<void> =>
  withPerson(context, { request, response, ...rest }, (access) => {
    const { sessionId } = access;
    return context.forwarder.forward({
      ...{ request, response, sessionId },
      url: context.settings.gatewayUrl,
      token: tokenOf(access),
      unreachable: 'gateway-unreachable',
      ...(context.signIn !== undefined && {
        onUnauthorized: () => context.signIn?.sessions.remove(sessionId) ?? Promise.resolve(),
      }),
    });
  });

/** Answers a person with the metrics of the gateway, which are read without the token of the person. */
export const forwardToMetrics = async (
  context: PortalContext,
  exchange: PortalExchange,
): Promise<void> => {
  const { request, response } = exchange;
  const { metricsUrl: url } = context.settings;
  if (url === undefined) answerRefusal(response, 'not-found');
  else if (!SAFE_METHODS.has(request.method ?? '')) answerRefusal(response, 'method-not-allowed');
  else
    await withPerson(context, exchange, ({ sessionId }) =>
      context.forwarder.forward({
        ...{ request, response, sessionId, url },
        token: undefined,
        unreachable: 'metrics-unreachable',
      }),
    );
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
  const { request, response } = exchange;
  const { agentManagerUrl } = context.settings;
  if (agentManagerUrl === undefined) {
    answerRefusal(response, 'no-agent-manager');
    return;
  }
  const url = agentManagerTarget(agentManagerUrl, exchange);
  if (url === undefined) answerRefusal(response, 'not-found');
  else
    await withPerson(context, exchange, (access) =>
      context.forwarder.forward({
        ...{ request, response, url, sessionId: access.sessionId },
        token: tokenOf(access),
        unreachable: 'agent-manager-unreachable',
      }),
    );
};
