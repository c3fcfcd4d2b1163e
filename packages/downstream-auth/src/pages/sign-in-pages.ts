import type { ServerResponse } from 'node:http';
import { createPageRenderer, sendFormPage, type HtmlPage } from '@gateway/service-host';

interface ConfirmationFacts {
  readonly server: string;
  /** Host of the gateway. */
  readonly gateway: string;
  /** Host of the authorization server. */
  readonly provider: string;
  /** Who asked for the link. Without an issuer, callers do not sign in to the gateway. */
  readonly askedBy: { readonly name: string; readonly issuer?: string };
  /** Where the form is sent, the sign-in that it is for, and the token that it must contain. */
  readonly action: string;
  readonly state: string;
  readonly token: string;
}

const renderConfirmation = createPageRenderer({
  content: `<main id="main" class="dialog">
<h1>Connect “<%= it.server %>”?</h1>
<p>A program asks this gateway for access to your account at <strong><%= it.server %></strong>. You sign in at <strong><%= it.provider %></strong>.</p>
<h2>Who gets access</h2>
<dl class="fields">
<div><dt>User</dt><dd><strong><%= it.user %></strong></dd></div>
<div><dt>Signed in through</dt><dd><%= it.through %></dd></div>
<div><dt>Gateway</dt><dd><%= it.gateway %></dd></div>
<div><dt>Server</dt><dd><%= it.server %></dd></div>
</dl>
<p class="warning"><%= it.warning %></p>
<form method="post" action="<%= it.action %>">
<input type="hidden" name="state" value="<%= it.state %>">
<input type="hidden" name="token" value="<%= it.token %>">
<div class="actions">
<button class="primary" type="submit" name="decision" value="continue">Continue</button>
<button type="submit" name="decision" value="other-account">Use another account</button>
<button type="submit" name="decision" value="cancel">Cancel</button>
</div>
</form>
</main>
`,
});

/** Browsers check redirects after a form too: the form leads to the authorization server and the sites that it uses. */
const TO_PROVIDER = ["'self'", 'https:', 'http:'];

const ANONYMOUS = {
  user: 'everyone who can reach this gateway',
  through: 'nothing: users do not sign in to this gateway',
  warning:
    'Continue only if you asked for this link yourself. Everyone who can reach this gateway will use your account at the server.',
};

const MAX_NAME_CHARS = 320;

/** Line breaks, invisible characters and those that change the direction of the text around them: users may choose their names. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const formatName = (name: string): string =>
  name.slice(0, MAX_NAME_CHARS).replaceAll(INVISIBLE, '\u{FFFD}');

const toHolder = ({ name, issuer }: ConfirmationFacts['askedBy']): typeof ANONYMOUS =>
  issuer === undefined
    ? ANONYMOUS
    : {
        user: formatName(name),
        through: issuer,
        warning: `Continue only if you are ${formatName(name)} and asked for this link yourself. If another user sent you the link, this user will use your account.`,
      };

/** Returns the page on which a user confirms that they sign in to a server for the user who asked for the link. */
export const renderConfirmationPage = (facts: ConfirmationFacts): HtmlPage =>
  renderConfirmation(
    `Connect “${facts.server}”?`,
    { ...facts, ...toHolder(facts.askedBy) },
    TO_PROVIDER,
  );

const PAGE_ERRORS = {
  denied: 'Authentication was denied or failed. Please try again.',
  incomplete: 'Invalid callback: missing required parameters',
  expired: 'Authentication session expired. Please try again.',
  invalid: 'Authentication session invalid. Please try again.',
  failed: 'Failed to complete authentication. Please try again.',
} as const;

export type PageError = keyof typeof PAGE_ERRORS;

const CONTENT = `<main id="main" class="dialog">
<h1><%= it.title %></h1>
<p<% if (it.isError) { %> role="alert"<% } %>><%= it.sentence %></p>
<p><%= it.advice %></p>
</main>
`;

const render = createPageRenderer({ content: CONTENT });

const renderErrorPage = (error: PageError): HtmlPage =>
  render('Sign-in failed', {
    title: 'Sign-in failed',
    isError: true,
    sentence: PAGE_ERRORS[error],
    advice: 'Request a new link from your agent or client. You can close this page.',
  });

const renderSuccessPage = (server: string): HtmlPage =>
  render('Signed in', {
    title: 'Signed in',
    isError: false,
    sentence: `You are signed in to ${server}.`,
    advice: 'You can close this page and return to your agent or client.',
  });

export const sendErrorPage = (response: ServerResponse, error: PageError): void => {
  sendFormPage(response, 400, renderErrorPage(error));
};

export const sendSuccessPage = (response: ServerResponse, server: string): void => {
  sendFormPage(response, 200, renderSuccessPage(server));
};

/** Answers with a redirect: 302 to a provider, 303 after a sign-in. */
export const sendRedirect = (
  response: ServerResponse,
  status: 302 | 303,
  location: string,
): void => {
  response
    .writeHead(status, {
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      location,
    })
    .end();
};
