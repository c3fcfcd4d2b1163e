import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { StateStoreError, type StateStore } from '@gateway/state-store';
import { answerRefusal, type PortalRefusal } from '../answers/json-answer.ts';
import { openAssetFiles } from '../assets/asset-files.ts';
import { openIndexPage } from '../assets/index-page.ts';
import { createForwarder } from '../forward/forward-request.ts';
import { createOwnRequests } from '../guard/own-requests.ts';
import { createRequestTokens } from '../guard/request-token.ts';
import { createCurrentSession } from '../person/current-session.ts';
import { IdentityProvider } from '../person/identity-provider.ts';
import { openAccess, signedInAccess } from '../person/person-access.ts';
import { createPersonId } from '../person/person-id.ts';
import { ProviderError } from '../person/provider-error.ts';
import { RunningRequests } from '../person/running-requests.ts';
import { createPortalCookies } from '../person/session-cookie.ts';
import { createSessions } from '../person/sessions.ts';
import type { PortalContext } from '../routes/portal-context.ts';
import { requestTarget } from '../routes/request-target.ts';
import { routeRequest } from '../routes/route-request.ts';
import type { PortalSettings } from '../settings/portal-settings.ts';
import { boundedFailures } from './bounded-failures.ts';

/** The parts of {@link createPortal}. */
export interface PortalParts {
  readonly settings: PortalSettings;
  readonly store: StateStore;
  /** Reaches the provider. */
  readonly fetch: GuardedFetch;
  readonly now: () => number;
  /** Called with a sentence about a failure, without values of a request. */
  readonly onFailure: (sentence: string) => void;
}

/** The backend of the portal. */
export interface Portal {
  /** Answers a request below the path of the public URL. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => Promise<void>;
}

interface SignInContext extends Pick<PortalContext, 'access' | 'signIn' | 'running'> {
  readonly close: () => void;
}

const signInOf = (parts: PortalParts): SignInContext => {
  const { settings, store, now, fetch, onFailure } = parts;
  const { publicUrl, signIn, key } = settings;
  const running = new RunningRequests();
  if (signIn === undefined) return { access: openAccess, running, close: () => undefined };
  const cookies = createPortalCookies({ publicUrl, key, now });
  const redirectUri = new URL('auth/callback', publicUrl);
  const provider = new IdentityProvider({ settings: signIn, redirectUri, fetch, now });
  const sessions = createSessions(store);
  const personId = createPersonId(key, signIn.issuer);
  const accessBy = (read: typeof sessions.read) => signedInAccess(cookies.session, read);
  const storedAccess = accessBy(sessions.read);
  return {
    access: accessBy(createCurrentSession({ sessions, provider, now })),
    signIn: { publicUrl, provider, sessions, cookies, personId, storedAccess, onFailure },
    running,
    close: sessions.onEnd((digest) => running.end(digest)),
  };
};

const refusalOf = (error: unknown): PortalRefusal => {
  if (error instanceof StateStoreError) return 'store-unavailable';
  return error instanceof ProviderError ? 'provider-unavailable' : 'failed';
};

const sentenceOf = (error: unknown): string =>
  error instanceof StateStoreError || error instanceof ProviderError
    ? error.message
    : 'a request failed';

const handlerOf =
  (context: PortalContext, onFailure: PortalParts['onFailure']): Portal['handle'] =>
  (request, response) => {
    const { path, query } = requestTarget(request.url);
    const prefix = context.settings.publicUrl.pathname;
    if (context.own.isForeign(request)) answerRefusal(response, 'foreign-host');
    // The page has relative addresses, which need the slash at the end of the prefix.
    else if (`${path}/` === prefix) response.writeHead(308, { location: prefix }).end();
    else if (!path.startsWith(prefix)) answerRefusal(response, 'not-found');
    else
      routeRequest(context, { request, response, path: path.slice(prefix.length), query }).catch(
        (error: unknown) => {
          onFailure(sentenceOf(error));
          answerRefusal(response, refusalOf(error));
        },
      );
  };

/** Creates the backend. Rejects when the web application is not built. */
export const createPortal = async (parts: PortalParts): Promise<Portal> => {
  const { settings, now } = parts;
  const onFailure = boundedFailures(parts.onFailure, now);
  const { publicUrl, webRoot, key, allowedHosts } = settings;
  const forwarder = createForwarder();
  const { close, ...signIn } = signInOf({ ...parts, onFailure });
  const context: PortalContext = {
    settings,
    forwarder,
    own: createOwnRequests(publicUrl, allowedHosts),
    tokens: createRequestTokens(key),
    indexPage: await openIndexPage(webRoot, publicUrl.pathname),
    assets: await openAssetFiles(webRoot),
    ...signIn,
  };
  return {
    handle: handlerOf(context, onFailure),
    close: () => {
      close();
      return forwarder.close();
    },
  };
};
