import { clientDocument, CLIENT_DOCUMENT_PATH } from '../clients/client-document.ts';
import { CALLBACK_PATH, createCallbackRoute } from './callback-route.ts';
import type { CallbackDependencies } from './callback-route.ts';
import { requestedUrls } from './issuer-urls.ts';
import type { IssuerUrls } from './issuer-urls.ts';
import type { Route } from './route-handling.ts';
import type { SignInContext } from './sign-in-context.ts';
import type { SignInUrls } from './sign-in-urls.ts';
import { createStartRoute, START_PATH } from './start-route.ts';
import type { StartDependencies } from './start-route.ts';

/** Handlers by path. */
export type Routes = Readonly<Record<string, Route>>;

/** The dependencies of the routes. */
export interface RouteDependencies extends StartDependencies, CallbackDependencies {}

/** The routes of sign-in: by path, and by the beginning of a path. */
export interface SignInRoutes {
  readonly routes: Routes;
  readonly prefixes: Routes;
}

const CALLBACKS = `${CALLBACK_PATH}/`;
const DOCUMENTS = `${CLIENT_DOCUMENT_PATH}/`;

/** Returns the URLs that the document at the path of a request names. */
const documentUrls = (urls: SignInUrls, url: string): IssuerUrls | undefined => {
  const [path = ''] = url.split('?', 1);
  return path === CLIENT_DOCUMENT_PATH ? urls : requestedUrls(urls, path.slice(DOCUMENTS.length));
};

/** Documents exist where their URLs have the scheme https; without it, authorization servers do not accept them as client IDs. */
const documentRoute =
  ({ urls: urlsOf }: SignInContext): Route =>
  ({ method, url = '' }, response) => {
    void urlsOf()
      .catch(() => undefined)
      .then((urls) => {
        const found = urls && documentUrls(urls, url);
        const isServed = method === 'GET' && found?.document.startsWith('https:') === true;
        if (!isServed) response.writeHead(404).end();
        else
          response
            .writeHead(200, {
              'content-type': 'application/json',
              'cache-control': 'public, max-age=300',
              'x-content-type-options': 'nosniff',
            })
            .end(JSON.stringify(clientDocument(found.document, found.callback)));
      });
  };

/** Creates the handlers of the start of a sign-in, of its callbacks, and of the client ID metadata documents. */
export const createRoutes = (dependencies: RouteDependencies): SignInRoutes => {
  const callback = createCallbackRoute(dependencies);
  const document = documentRoute(dependencies.context);
  return {
    routes: {
      [START_PATH]: createStartRoute(dependencies),
      [CALLBACK_PATH]: callback,
      [CLIENT_DOCUMENT_PATH]: document,
    },
    prefixes: { [CALLBACKS]: callback, [DOCUMENTS]: document },
  };
};
