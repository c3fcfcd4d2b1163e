import { answerRefusal } from '../answers/json-answer.ts';
import type { PortalContext, PortalExchange } from './portal-context.ts';
import { forwardTo, forwardToAgentManager } from './service-routes.ts';
import { answerSession, answerSignIn } from './session-routes.ts';

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

/** Answers one request. Rejects when the store of the sessions does not answer. */
export const routeRequest = async (
  context: PortalContext,
  exchange: PortalExchange,
): Promise<void> => {
  const { path } = exchange;
  const { gatewayUrl, metricsUrl } = context.settings;
  if (path === 'session') await answerSession(context, exchange);
  else if (path.startsWith('auth/')) await answerSignIn(context, exchange);
  else if (path === 'mcp') await forwardTo(context, exchange, gatewayUrl);
  else if (path.startsWith('agent-manager/')) await forwardToAgentManager(context, exchange);
  else if (path === 'metrics' && metricsUrl !== undefined)
    await forwardTo(context, exchange, metricsUrl);
  else if (path.startsWith(ASSETS)) answerAsset(context, exchange);
  else answerPage(context, exchange);
};
