import { answerRefusal } from '../answers/json-answer.ts';
import type { PortalContext, PortalExchange } from './portal-context.ts';
import { forwardToAgentManager, forwardToGateway, forwardToMetrics } from './service-routes.ts';
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
