// The pages of the example's provider.

const escape = (text) =>
  String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title, content) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<body style="font-family: system-ui; max-width: 30rem; margin: 3rem auto"><h1>${title}</h1>${content}</body></html>`;

/** Returns the page that asks for a name and a password. */
export const loginPage = ({ problem }) =>
  page(
    'Sign in at the example provider',
    `${problem ? `<p role="alert">${escape(problem)}</p>` : ''}<form method="post">
<p><label>User <input type="text" name="login" autocomplete="username" required></label></p>
<p><label>Password <input type="password" name="password" autocomplete="current-password" required></label></p>
<p><button type="submit">Sign in</button></p></form>`,
  );

/** Returns the page that asks whether a client may act for the user. */
export const consentPage = ({ client }) =>
  page(
    'Allow access?',
    `<p><strong>${escape(client)}</strong> asks for access to your account.</p><form method="post">
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p></form>`,
  );

/** Returns the page for a sign-in that cannot continue. */
export const expiredPage = () =>
  page('Sign-in expired', '<p>Start again in the program that sent you here.</p>');
