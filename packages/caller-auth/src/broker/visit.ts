import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { FAILURE_PAGES, type FailurePage } from './pages.ts';
import type { ServerContext } from './server-context.ts';
import { sendFormPage } from '@gateway/service-host';

/** A sign-in in progress, as the authorization server stores it. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** A request of a browser in a sign-in. */
export interface Visit {
  readonly context: ServerContext;
  readonly provider: Provider;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers with the page for a sign-in that cannot continue. */
export const fail = ({ response }: Visit, page: FailurePage): void =>
  sendFormPage(response, page === 'unavailable' ? 503 : 400, FAILURE_PAGES[page]);

/** Sends the browser to another address with GET. */
export const redirect = ({ response }: Visit, location: string): void => {
  response.writeHead(303, {
    location,
    'cache-control': 'no-store',
    'content-length': 0,
    'referrer-policy': 'no-referrer',
  });
  response.end();
};

/** Ends an interaction without a result for the client: the person refused, or the provider did. */
export const finishDenied = ({ provider, request, response }: Visit): Promise<void> =>
  provider.interactionFinished(
    request,
    response,
    { error: 'access_denied', error_description: 'The sign-in was denied.' },
    { mergeWithLastSubmission: false },
  );
