import { answerJson, answerRefusal } from '../answers/json-answer.ts';
import { completeSignIn, endSession, startSignIn } from '../person/sign-in-routes.ts';
import type { PortalContext, PortalExchange } from './portal-context.ts';
import { withPerson } from './service-routes.ts';

/** Answers with what the web application knows about its person and its services. */
export const answerSession = async (
  { access, settings, tokens, signIn }: PortalContext,
  { request, response }: PortalExchange,
): Promise<void> => {
  if (request.method !== 'GET') {
    answerRefusal(response, 'method-not-allowed');
    return;
  }
  const who = await access(request);
  const { agentManagerUrl, metricsUrl, labelDomain } = settings;
  answerJson(response, 200, {
    signInRequired: signIn !== undefined,
    ...(who.kind === 'signed-in' &&
      signIn !== undefined && {
        person: { id: signIn.personId(who), name: who.session.name },
      }),
    ...(who.kind !== 'signed-out' && { token: tokens.tokenOf(who.sessionId) }),
    hasAgentManager: agentManagerUrl !== undefined,
    hasMetrics: metricsUrl !== undefined,
    ...(labelDomain !== undefined && { labelDomain }),
  });
};

/** Answers the routes below `auth/`. */
export const answerSignIn = async (
  context: PortalContext,
  exchange: PortalExchange,
): Promise<void> => {
  const { signIn } = context;
  const { request, response, path, query } = exchange;
  const isGet = request.method === 'GET';
  if (signIn === undefined) answerRefusal(response, 'not-found');
  else if (path === 'auth/start' && isGet) await startSignIn(signIn, { request, response, query });
  else if (path === 'auth/callback' && isGet)
    await completeSignIn(signIn, { request, response, query });
  else if (path === 'auth/end' && request.method === 'POST') {
    await withPerson(
      { ...context, access: signIn.storedAccess },
      exchange,
      async ({ sessionId }) => {
        const url = await endSession(signIn, sessionId);
        response.setHeader('set-cookie', signIn.cookies.session.write(undefined));
        answerJson(response, 200, { url: url.href });
      },
    );
  } else answerRefusal(response, 'not-found');
};
