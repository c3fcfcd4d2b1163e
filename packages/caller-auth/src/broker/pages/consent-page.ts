import { createPageRenderer, type Page } from '@gateway/service-host';
import type { RedirectFacts } from '../clients/redirect-facts.ts';
import { scopeWords } from './scope-words.ts';

/** How a client is known. */
export type ClientIdentity =
  | { readonly kind: 'known' }
  | { readonly kind: 'document'; readonly host: string }
  | { readonly kind: 'registered' };

/** The facts that the consent page shows. */
export interface ConsentFacts {
  /** Name of the client, as it calls itself. */
  readonly name: string;
  readonly identity: ClientIdentity;
  /** Absent when the result goes to a device that polls for it. */
  readonly redirect: RedirectFacts | undefined;
  /** The signed-in person. */
  readonly person: string;
  readonly scopes: readonly string[];
  /** Requested scopes that this person may not give. */
  readonly withheld: readonly string[];
  /** Where the form is sent, and the token that it must contain. */
  readonly action: string;
  readonly token: string;
}

const render = createPageRenderer({
  content: `<main id="main" class="dialog">
<h1>Allow “<%= it.name %>” to use this gateway?</h1>
<p>You are signed in as <strong><%= it.person %></strong>.</p>
<h2>Program</h2>
<dl class="fields">
<div><dt>Name</dt><dd><%= it.name %></dd></div>
<div><dt>Identified by</dt><dd><%= it.identifiedBy %></dd></div>
<div><dt>Result goes to</dt><dd><%= it.destination %></dd></div>
</dl>
<% for (const warning of it.warnings) { %><p class="warning"><%= warning %></p>
<% } %><h2>It will be able to</h2>
<ul>
<% for (const line of it.permissions) { %><li><%= line %></li>
<% } %></ul>
<% if (it.withheld) { %><p>It also asked for administration, which your groups do not permit. It will not get it.</p>
<% } %><form method="post" action="<%= it.action %>">
<input type="hidden" name="token" value="<%= it.token %>">
<div class="actions">
<button class="primary" type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</div>
</form>
</main>
`,
});

const identifiedBy = (identity: ClientIdentity): string => {
  switch (identity.kind) {
    case 'known':
      return 'the configuration of this gateway';
    case 'document':
      return `a document at ${identity.host}`;
    case 'registered':
      return 'its own statement; not verified';
  }
};

const destinationOf = (redirect: RedirectFacts | undefined): string => {
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

const warningsOf = ({ identity, redirect }: ConsentFacts): readonly string[] => [
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
const formTargets = (redirect: RedirectFacts | undefined): readonly string[] => [
  "'self'",
  'https:',
  'http:',
  ...(redirect?.kind === 'application' ? [redirect.host] : []),
];

/** Returns the page on which a person allows a client to act, or denies it. */
export const consentPage = (facts: ConsentFacts): Page =>
  render(
    `Allow “${facts.name}”?`,
    {
      ...facts,
      identifiedBy: identifiedBy(facts.identity),
      destination: destinationOf(facts.redirect),
      warnings: warningsOf(facts),
      permissions: scopeWords(facts.scopes),
      withheld: facts.withheld.length > 0,
    },
    formTargets(facts.redirect),
  );
