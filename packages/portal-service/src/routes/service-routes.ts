import { answerRefusal } from '../answers/json-answer.ts';
import { REQUEST_TOKEN_HEADER } from '../guard/request-token.ts';
import { tokenOf, type PersonAccess } from '../person/person-access.ts';
import type { PortalContext, PortalExchange } from './portal-context.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Sites of the Fetch Metadata that are no page of the portal. */
const OTHER_SITES: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/** Returns whether a request that changes something is from a page of the portal. */
const isFromPortal = (
  { settings, tokens }: PortalContext,
  { request }: PortalExchange,
  sessionId: string,
): boolean => {
  const { headers } = request;
  if (OTHER_SITES.has(headers['sec-fetch-site']?.toString() ?? '')) return false;
  const { origin } = headers;
  if (origin !== undefined && origin !== settings.publicUrl.origin) return false;
  return tokens.isToken(headers[REQUEST_TOKEN_HEADER], sessionId);
};

/** Runs a route for a person who may use it: signed in where that is required, and from a page of the portal. */
export const withPerson = async (
  context: PortalContext,
  exchange: PortalExchange,
  run: (access: Exclude<PersonAccess, { kind: 'signed-out' }>) => Promise<void>,
): Promise<void> => {
  const { request, response } = exchange;
  const access = await context.access(request);
  if (access.kind === 'signed-out') {
    answerRefusal(response, 'signed-out');
    return;
  }
  const isSafe = SAFE_METHODS.has(request.method ?? '');
  if (!isSafe && !isFromPortal(context, exchange, access.sessionId)) {
    answerRefusal(response, 'forged-request');
    return;
  }
  await run(access);
};

/** Forwards a request to a service in the name of the person. */
export const forwardTo = (
  context: PortalContext,
  exchange: PortalExchange,
  url: URL,
): Promise<void> =>
  withPerson(context, exchange, (access) =>
    context.forwarder.forward({
      request: exchange.request,
      response: exchange.response,
      url,
      token: tokenOf(access),
    }),
  );

/** The path in front of which the operations of agent-manager are. */
const AGENTS = 'agent-manager/';

/** Forwards a request below `agent-manager/` to the same path of agent-manager. */
export const forwardToAgentManager = (
  context: PortalContext,
  exchange: PortalExchange,
): Promise<void> => {
  const { agentManagerUrl } = context.settings;
  if (agentManagerUrl === undefined) {
    answerRefusal(exchange.response, 'no-agent-manager');
    return Promise.resolve();
  }
  const base = agentManagerUrl.href.endsWith('/')
    ? agentManagerUrl
    : new URL(`${agentManagerUrl.href}/`);
  const url = new URL(exchange.path.slice(AGENTS.length), base);
  url.search = exchange.query.toString();
  if (url.href.startsWith(new URL('api/v1/', base).href)) return forwardTo(context, exchange, url);
  answerRefusal(exchange.response, 'not-found');
  return Promise.resolve();
};
