import { CookieBrowser, type BrowserOptions, type Page } from './cookie-browser.ts';
import type { FormButton, HtmlForm } from './html-form.ts';

/** A person who signs in. */
export interface TestUser {
  readonly name: string;
  readonly password: string;
}

/** Returns a person that `startProvider` accepts when it has no `users`. */
export const testUser = (name: string): TestUser => ({ name, password: 'password' });

/** How a person signs in: the browser, and the answer to a consent page. */
export interface SignInOptions extends BrowserOptions {
  /** The browser, to keep its cookies; a new one by default. */
  readonly browser?: CookieBrowser;
  /** `deny` presses the button that refuses when a page asks for consent. */
  readonly consent?: 'allow' | 'deny';
}

const MAX_FORMS = 10;
const DENY = /deny|cancel|abort|reject|refuse|decline/i;
const NAMES = /login|user|email/i;

const buttonFor = (form: HtmlForm, consent: 'allow' | 'deny'): FormButton | undefined => {
  const denies = ({ value, text, name = '' }: FormButton): boolean =>
    DENY.test(`${name} ${value} ${text}`);
  return form.buttons.find((button) => denies(button) === (consent === 'deny'));
};

/** Dex has two forms on its consent page, each with one button: the form counts as denying when its fields do. */
const isDenying = (form: HtmlForm): boolean =>
  form.buttons.length > 0 && form.buttons.every(({ text, value }) => DENY.test(`${text} ${value}`));

const valuesOf = (form: HtmlForm, user: TestUser): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...form.fields].flatMap(([name, { type }]) => {
      if (type === 'password') return [[name, user.password]];
      return ['text', 'email'].includes(type) && NAMES.test(name) ? [[name, user.name]] : [];
    }),
  );

const asksForPassword = (form: HtmlForm): boolean =>
  [...form.fields.values()].some(({ type }) => type === 'password');

const formOf = (page: Page, consent: 'allow' | 'deny'): HtmlForm | undefined => {
  const posts = page.forms.filter(({ method }) => method === 'post');
  const [denying] = posts.filter(isDenying);
  if (consent === 'deny' && denying !== undefined) return denying;
  return posts.find((form) => !isDenying(form));
};

/**
 * Opens an address and does what a person does in a browser: signs in, consents, and follows redirects, until a page has no form or
 * `isEnd` accepts the address. A password that is refused ends the walk on that page.
 * @returns the last page; `visited` has every address of the walk
 * @throws {Error} after 10 forms or 20 redirects in a row
 */
export const signIn = async (
  url: string | URL,
  user: TestUser,
  options: SignInOptions = {},
): Promise<Page> => {
  const { browser = new CookieBrowser(options), consent = 'allow' } = options;
  let page = await browser.open(url);
  const visited = [...page.visited];
  let hasSentPassword = false;
  for (let count = 0; count < MAX_FORMS; count += 1) {
    const form = formOf(page, consent);
    if (page.isEnd || form === undefined) return { ...page, visited };
    if (asksForPassword(form) && hasSentPassword) return { ...page, visited };
    hasSentPassword ||= asksForPassword(form);
    page = await browser.submit(page, form, valuesOf(form, user), buttonFor(form, consent));
    visited.push(...page.visited);
  }
  throw new Error(`more than ${MAX_FORMS} forms: ${visited.join(' ')}`);
};
