import { createPageRenderer, type Page } from '@gateway/service-host';

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
<p>You are signed in as <strong><%= it.person %></strong>. All programs that you allowed lose their access.</p>
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
export const deviceCodePage = (
  form: FormFacts,
  { code, problem }: { readonly code: string; readonly problem: string | undefined },
): Page => renderCode('Sign in a device', { ...form, code, problem }, TO_PROVIDER);

/** Returns the page on which a person confirms the code of a device. */
export const deviceConfirmationPage = (
  form: FormFacts,
  { code, name }: { readonly code: string; readonly name: string },
): Page => renderConfirmation(`Sign in “${name}”?`, { ...form, code, name }, TO_PROVIDER);

/** Returns the page on which a person signs out. */
export const logoutPage = (form: FormFacts, person: string): Page =>
  renderLogout('Sign out?', { ...form, person }, ["'self'"]);
