import { GATEWAY_SCOPES } from '@gateway/call-contract';
import { createPageRenderer, type HtmlPage } from '@gateway/service-host';
import type { RedirectFacts } from './clients.ts';

/** The permissions of each scope, in words for a user. */
const WORDS = new Map([
  ['mcp:read', 'list and call the tools that you may use, with your permissions'],
  [
    'mcp:admin',
    'change the gateway: create, change and remove servers and workflows, and see the runs of other people',
  ],
  ['openid', 'know your identifier at this gateway'],
  ['offline_access', 'stay signed in until you sign out'],
]);

/** Returns whether the user decides about a scope by itself; the others belong to the sign-in. */
export const isGatewayScope = (scope: string): boolean =>
  GATEWAY_SCOPES.some((known) => known === scope);

/** A scope as the consent page shows it. */
interface Permission {
  readonly scope: string;
  readonly words: string;
  readonly isOptional: boolean;
}

/** Returns what scopes permit, one line each; unknown scopes permit nothing and have no line. */
const listPermissions = (scopes: readonly string[]): readonly Permission[] =>
  scopes.flatMap((scope) => {
    const words = WORDS.get(scope);
    return words === undefined ? [] : [{ scope, words, isOptional: isGatewayScope(scope) }];
  });

const renderMessage = createPageRenderer({
  content: `<main id="main" class="dialog">
<h1><%= it.heading %></h1>
<% for (const line of it.lines) { %><p><%= line %></p>
<% } %></main>
`,
});

/** Returns a page that says something and asks for nothing. */
export const createMessagePage = (heading: string, ...lines: readonly string[]): HtmlPage =>
  renderMessage(heading, { heading, lines });

/** The pages of sign-ins that cannot continue. They repeat nothing of the request. */
export const FAILURE_PAGES = {
  expired: createMessagePage(
    'Sign-in expired',
    'Authentication session expired. Please try again.',
    'Start again in the program that sent you here.',
  ),
  invalid: createMessagePage(
    'Sign-in stopped',
    'Authentication session invalid. Please try again.',
    'Start again in the program that sent you here, in one browser window.',
  ),
  missing: createMessagePage('Sign-in stopped', 'Invalid callback: missing required parameters'),
  failed: createMessagePage(
    'Sign-in failed',
    'Failed to complete authentication. Please try again.',
  ),
  unavailable: createMessagePage(
    'Sign-in not available',
    'The provider that signs you in cannot be reached. Please try again later.',
  ),
  form: createMessagePage(
    'Form expired',
    'The form does not belong to this sign-in. Please try again.',
  ),
} as const satisfies Readonly<Record<string, HtmlPage>>;

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
export const createErrorPage = (code: string): HtmlPage =>
  createMessagePage(
    'Sign-in stopped',
    ERROR_LINES.get(code) ?? 'The request of the program that sent you here is not valid.',
    `Error code: ${code}`,
  );

const renderCode = createPageRenderer({
  content: `<main id="main" class="dialog">
<h1>Sign in a device</h1>
<% if (it.problem) { %><p class="warning" role="alert"><%= it.problem %></p>
<% } %><form method="post" action="<%= it.action %>">
<input type="hidden" name="xsrf" value="<%= it.token %>">
<label for="code">Code that the device shows</label>
<input id="code" type="text" name="user_code" value="<%= it.code %>" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<div class="actions"><button class="primary" type="submit">Continue</button></div>
</form>
</main>
`,
});

const renderConfirmation = createPageRenderer({
  content: `<main id="main" class="dialog">
<h1>Sign in “<%= it.name %>”?</h1>
<p>The device must show this code:</p>
<p><strong><code><%= it.code %></code></strong></p>
<p class="warning">Continue only if you started this sign-in yourself and the code is on a device in front of you.</p>
<form method="post" action="<%= it.action %>">
<input type="hidden" name="xsrf" value="<%= it.token %>">
<input type="hidden" name="user_code" value="<%= it.code %>">
<div class="actions">
<button class="primary" type="submit" name="confirm" value="yes">Continue</button>
<button type="submit" name="abort" value="yes">Cancel</button>
</div>
</form>
</main>
`,
});

const renderLogout = createPageRenderer({
  content: `<main id="main" class="dialog">
<h1>Sign out of this gateway?</h1>
<p>You are signed in as <strong><%= it.user %></strong>. All programs that you allowed lose their access.</p>
<form method="post" action="<%= it.action %>">
<input type="hidden" name="token" value="<%= it.token %>">
<div class="actions"><button class="primary" type="submit">Sign out</button></div>
</form>
</main>
`,
});

/** Where a form is sent, and the token that it must contain. */
export interface FormFacts {
  readonly action: string;
  readonly token: string;
}

/** Browsers check redirects after a form too: the forms of devices lead to the provider and the sites that it uses. */
const TO_PROVIDER = ["'self'", 'https:', 'http:'];

/** Returns the page that asks for the code of a device. */
export const createDeviceCodePage = (
  form: FormFacts,
  { code, problem }: { readonly code: string; readonly problem: string | undefined },
): HtmlPage => renderCode('Sign in a device', { ...form, code, problem }, TO_PROVIDER);

/** Returns the page on which a user confirms the code of a device. */
export const createDeviceConfirmationPage = (
  form: FormFacts,
  { code, name }: { readonly code: string; readonly name: string },
): HtmlPage => renderConfirmation(`Sign in “${name}”?`, { ...form, code, name }, TO_PROVIDER);

export const createLogoutPage = (form: FormFacts, user: string): HtmlPage =>
  renderLogout('Sign out?', { ...form, user }, ["'self'"]);

/** How a client is known. */
export type PageClient =
  | { readonly kind: 'known' }
  | { readonly kind: 'document'; readonly host: string }
  | { readonly kind: 'registered' };

/** The facts that the consent page shows. */
interface ConsentFacts {
  /** Name of the client, as it calls itself. */
  readonly name: string;
  readonly identity: PageClient;
  /** Absent when the result goes to a device that polls for it. */
  readonly redirect: RedirectFacts | undefined;
  /** The signed-in user. */
  readonly user: string;
  readonly scopes: readonly string[];
  /** Requested scopes that this user may not give. */
  readonly withheld: readonly string[];
  /** Where the form is sent, and the token that it must contain. */
  readonly action: string;
  readonly token: string;
}

const renderConsent = createPageRenderer({
  content: `<main id="main" class="dialog">
<h1>Allow “<%= it.name %>” to use this gateway?</h1>
<p>You are signed in as <strong><%= it.user %></strong>.</p>
<h2>Program</h2>
<dl class="fields">
<div><dt>Name</dt><dd><%= it.name %></dd></div>
<div><dt>Identified by</dt><dd><%= it.identifiedBy %></dd></div>
<div><dt>Result goes to</dt><dd><%= it.destination %></dd></div>
</dl>
<% for (const warning of it.warnings) { %><p class="warning"><%= warning %></p>
<% } %><form method="post" action="<%= it.action %>">
<input type="hidden" name="token" value="<%= it.token %>">
<fieldset class="choices">
<legend>It will be able to</legend>
<% for (const { scope, words, isOptional } of it.permissions) { %><label><input type="checkbox" checked<% if (isOptional) { %> name="<%= scope %>"<% } else { %> disabled<% } %>> <%= words %></label>
<% } %></fieldset>
<% if (it.withheld) { %><p>It also asked for administration, which your groups do not permit. It will not get it.</p>
<% } %><div class="actions">
<button class="primary" type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</div>
</form>
</main>
`,
});

const formatIdentitySource = (identity: PageClient): string => {
  switch (identity.kind) {
    case 'known':
      return 'the configuration of this gateway';
    case 'document':
      return `a document at ${identity.host}`;
    case 'registered':
      return 'its own statement; not verified';
  }
};

const formatDestination = (redirect: RedirectFacts | undefined): string => {
  if (redirect === undefined) return 'the device that shows the code which you entered';
  const { host, kind } = redirect;
  switch (kind) {
    case 'loopback':
      return `${host} (a program on this computer)`;
    case 'application':
      return `${host} (an application on this computer)`;
    case 'site':
      return host;
  }
};

const listWarnings = ({ identity, redirect }: ConsentFacts): readonly string[] => [
  ...(identity.kind === 'registered'
    ? [
        'Nobody has verified the name of this program. Allow it only if you started the sign-in yourself.',
      ]
    : []),
  ...(redirect === undefined
    ? ['Allow it only if the code is on a device in front of you.']
    : redirect.kind === 'site'
      ? []
      : [
          'The result goes to a program on this computer, and any program on it can claim this name. Allow it only if you started the sign-in yourself.',
        ]),
];

/** Sources that the form may lead to: browsers check redirects after a form too, up to the page that the client shows. */
const listFormTargets = (redirect: RedirectFacts | undefined): readonly string[] => [
  "'self'",
  'https:',
  'http:',
  ...(redirect?.kind === 'application' ? [redirect.host] : []),
];

/** Returns the page on which a user allows a client to act, or denies it. */
export const createConsentPage = (facts: ConsentFacts): HtmlPage =>
  renderConsent(
    `Allow “${facts.name}”?`,
    {
      ...facts,
      identifiedBy: formatIdentitySource(facts.identity),
      destination: formatDestination(facts.redirect),
      warnings: listWarnings(facts),
      permissions: listPermissions(facts.scopes),
      withheld: facts.withheld.length > 0,
    },
    listFormTargets(facts.redirect),
  );
