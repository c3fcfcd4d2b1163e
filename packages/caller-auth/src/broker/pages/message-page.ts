import { createPageRenderer, type Page } from '@gateway/service-host';

const render = createPageRenderer({
  content: `<main id="main" class="dialog">
<h1><%= it.heading %></h1>
<% for (const line of it.lines) { %><p><%= line %></p>
<% } %></main>
`,
});

/** Returns a page that says something and asks for nothing. */
export const messagePage = (heading: string, ...lines: readonly string[]): Page =>
  render(heading, { heading, lines });

/** The pages of sign-ins that cannot continue. They repeat nothing of the request. */
export const FAILURE_PAGES = {
  expired: messagePage(
    'Sign-in expired',
    'Authentication session expired. Please try again.',
    'Start again in the program that sent you here.',
  ),
  invalid: messagePage(
    'Sign-in stopped',
    'Authentication session invalid. Please try again.',
    'Start again in the program that sent you here, in one browser window.',
  ),
  missing: messagePage('Sign-in stopped', 'Invalid callback: missing required parameters'),
  failed: messagePage('Sign-in failed', 'Failed to complete authentication. Please try again.'),
  unavailable: messagePage(
    'Sign-in not available',
    'The provider that signs you in cannot be reached. Please try again later.',
  ),
  form: messagePage('Form expired', 'The form does not belong to this sign-in. Please try again.'),
} as const satisfies Readonly<Record<string, Page>>;

/** The reasons for which a page says that a sign-in cannot continue. */
export type FailurePage = keyof typeof FAILURE_PAGES;

const ERROR_LINES = new Map([
  ['invalid_client', 'The program that sent you here is not known to this gateway.'],
  ['invalid_client_metadata', 'The description of the program that sent you here is not valid.'],
  [
    'invalid_redirect_uri',
    'The program that sent you here asked for a redirect that is not registered.',
  ],
  ['invalid_target', 'The program that sent you here asked for access to another service.'],
  ['access_denied', 'Authentication was denied or failed. Please try again.'],
]);

/** Returns the page for an error that cannot be sent to a client. It shows the code of the error and a text for it, nothing of the request. */
export const errorPage = (code: string): Page =>
  messagePage(
    'Sign-in stopped',
    ERROR_LINES.get(code) ?? 'The request of the program that sent you here is not valid.',
    `Error code: ${code}`,
  );
