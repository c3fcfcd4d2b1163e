interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
  readonly attributes: string;
}

const computeDefaultPath = ({ pathname }: URL): string =>
  pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));

const matchPath = (path: string, { pathname }: URL): boolean =>
  path === '/' || pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

const findAttribute = (line: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}=([^;]*)`, 'i').exec(line)?.[1]?.trim();

const isExpired = (line: string): boolean => {
  const maxAge = findAttribute(line, 'max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = findAttribute(line, 'expires');
  return expires !== undefined && Date.parse(expires) <= Date.now();
};

const parseCookie = (line: string, url: URL): Cookie => {
  const [pair = ''] = line.split(';', 1);
  const equals = pair.indexOf('=');
  return {
    host: url.hostname,
    path: findAttribute(line, 'path') ?? computeDefaultPath(url),
    name: pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    attributes: line.slice(pair.length),
  };
};

/**
 * The cookies of one browser (RFC 6265). As in a browser, a cookie belongs to a host and not to a port: two peers on `127.0.0.1` see
 * the cookies of each other. Loopback addresses count as secure.
 */
class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  store(lines: readonly string[], url: URL): void {
    for (const line of lines) {
      const cookie = parseCookie(line, url);
      const key = JSON.stringify([cookie.host, cookie.path, cookie.name]);
      if (isExpired(line)) this.#cookies.delete(key);
      else this.#cookies.set(key, cookie);
    }
  }

  header(url: URL): string | undefined {
    const its = [...this.#cookies.values()]
      .filter(({ host, path }) => host === url.hostname && matchPath(path, url))
      .toSorted((a, b) => b.path.length - a.path.length);
    if (its.length === 0) return undefined;
    return its.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  list(): readonly { readonly host: string; readonly name: string; readonly attributes: string }[] {
    return [...this.#cookies.values()].map(({ host, name, attributes }) => ({
      host,
      name,
      attributes,
    }));
  }
}

export interface FormButton {
  readonly name: string | undefined;
  readonly value: string;
  readonly text: string;
}

export interface HtmlForm {
  readonly action: string;
  readonly method: 'get' | 'post';
  readonly fields: ReadonlyMap<string, { readonly type: string; readonly value: string }>;
  readonly buttons: readonly FormButton[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const decode = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole: string, ...groups: string[]) => {
    const [hex, decimal, name] = groups;
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name ?? ''] ?? whole;
  });

const parseAttributes = (tag: string): ReadonlyMap<string, string> => {
  const found = tag.matchAll(/([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g);
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decode(double ?? single ?? bare ?? ''),
    ]),
  );
};

const BUTTON = /<button\b([^>]*)>([\s\S]*?)<\/button>/gi;
const INPUT = /<input\b([^>]*)>/gi;

const parseButtons = (html: string): readonly FormButton[] => {
  const buttons = [...html.matchAll(BUTTON)].map(([, tag = '', text = '']) => {
    const its = parseAttributes(tag);
    const plain = decode(text.replace(/<[^>]*>/g, '')).trim();
    return {
      type: its.get('type') ?? 'submit',
      name: its.get('name'),
      value: its.get('value') ?? '',
      text: plain,
    };
  });
  const inputs = [...html.matchAll(INPUT)].map(([, tag = '']) => {
    const its = parseAttributes(tag);
    const value = its.get('value') ?? '';
    return { type: its.get('type') ?? 'text', name: its.get('name'), value, text: value };
  });
  return [...buttons, ...inputs]
    .filter(({ type }) => type === 'submit')
    .map(({ name, value, text }) => ({ name, value, text }));
};

const isField = ({ type, name }: { type: string; name: string }): boolean =>
  name !== '' && !['submit', 'button', 'reset', 'image'].includes(type);

const toFields = (html: string): HtmlForm['fields'] => {
  const inputs = [...html.matchAll(INPUT)].map(([, tag = '']) => {
    const its = parseAttributes(tag);
    const type = its.get('type') ?? 'text';
    const value = its.get('value') ?? (type === 'checkbox' ? 'on' : '');
    return { type, name: its.get('name') ?? '', value };
  });
  return new Map(inputs.filter(isField).map(({ name, type, value }) => [name, { type, value }]));
};

/** Returns the forms of a page. It reads the small pages of sign-in, not any HTML. */
const parseForms = (html: string): readonly HtmlForm[] =>
  [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, tag = '', content = '']) => {
    const its = parseAttributes(tag);
    return {
      action: its.get('action') ?? '',
      method: its.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
      fields: toFields(content),
      buttons: parseButtons(content),
    };
  });

export interface VisitedPage {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly forms: readonly HtmlForm[];
  readonly visited: readonly string[];
  /** The redirect was not followed: `isEnd` accepted its address. */
  readonly isEnd: boolean;
}

export interface BrowserOptions {
  /** Origins that have other addresses in the test: `{ 'https://gateway.test': 'http://127.0.0.1:4711' }`. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Recognizes addresses to which no request is sent, such as the redirect address of a client that does not listen. */
  readonly isEnd?: (url: URL) => boolean;
}

const MAX_REDIRECTS = 20;
const FORM = 'application/x-www-form-urlencoded';

interface Navigation {
  readonly method: string;
  readonly body?: string;
  readonly referrer?: string;
}

/** A browser without a display: it follows redirects, keeps cookies and submits forms. */
export class CookieBrowser {
  readonly jar = new CookieJar();
  readonly #options: BrowserOptions;

  constructor(options: BrowserOptions = {}) {
    this.#options = options;
  }

  /** Opens an address and follows redirects. @throws {Error} after 20 redirects */
  open(url: string | URL): Promise<VisitedPage> {
    return this.#navigate(new URL(url), { method: 'GET' });
  }

  submit(
    page: VisitedPage,
    form: HtmlForm,
    values: Readonly<Record<string, string>> = {},
    button?: FormButton,
  ): Promise<VisitedPage> {
    const data = new URLSearchParams();
    for (const [name, { value }] of form.fields) data.set(name, value);
    for (const [name, value] of Object.entries(values)) data.set(name, value);
    if (button?.name !== undefined) data.set(button.name, button.value);
    const url = new URL(form.action, page.url);
    if (form.method === 'post')
      return this.#navigate(url, { method: 'POST', body: data.toString(), referrer: page.url });
    url.search = data.toString();
    return this.#navigate(url, { method: 'GET', referrer: page.url });
  }

  /** Sends one request with the cookies of the browser, and follows no redirect. */
  async request(url: URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookie = this.jar.header(url);
    if (cookie !== undefined) headers.set('cookie', cookie);
    const address = this.#options.hosts?.[url.origin];
    const target = address === undefined ? url : new URL(url.pathname + url.search, address);
    const response = await fetch(target, { ...init, headers, redirect: 'manual' });
    this.jar.store(response.headers.getSetCookie(), url);
    return response;
  }

  async #navigate(first: URL, start: Navigation): Promise<VisitedPage> {
    const visited: string[] = [];
    let url = first;
    let navigation = start;
    while (visited.length <= MAX_REDIRECTS) {
      visited.push(url.href);
      if (this.#options.isEnd?.(url) === true) return toEnd(url, visited);
      const response = await this.request(url, toRequest(navigation));
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null)
        return renderPage(url, visited, response, await response.text());
      await response.body?.cancel();
      if (![307, 308].includes(response.status)) navigation = { method: 'GET' };
      url = new URL(location, url);
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects: ${visited.join(' ')}`);
  }
}

const toRequest = ({ method, body, referrer }: Navigation): RequestInit => ({
  method,
  ...(body !== undefined && { body }),
  headers: {
    accept: 'text/html',
    ...(body !== undefined && { 'content-type': FORM }),
    ...(referrer !== undefined && { origin: new URL(referrer).origin }),
  },
});

const renderPage = (
  url: URL,
  visited: readonly string[],
  response: Response,
  text: string,
): VisitedPage => ({
  url: url.href,
  status: response.status,
  headers: response.headers,
  text,
  forms: parseForms(text),
  visited,
  isEnd: false,
});

const toEnd = (url: URL, visited: readonly string[]): VisitedPage => ({
  url: url.href,
  status: 0,
  headers: new Headers(),
  text: '',
  forms: [],
  visited,
  isEnd: true,
});

export interface TestUser {
  readonly name: string;
  readonly password: string;
}

/** Returns a user that `startProvider` accepts when it has no `users`. */
export const createTestUser = (name: string): TestUser => ({ name, password: 'password' });

/** How a user signs in: the browser, and the answer to a consent page. */
export interface SignInOptions extends BrowserOptions {
  readonly browser?: CookieBrowser;
  /** `deny` presses the button that refuses when a page asks for consent. */
  readonly consent?: 'allow' | 'deny';
}

const MAX_FORMS = 10;
const DENY = /deny|cancel|abort|reject|refuse|decline/i;
const NAMES = /login|user|email/i;

const findButton = (form: HtmlForm, consent: 'allow' | 'deny'): FormButton | undefined => {
  const denies = ({ value, text, name = '' }: FormButton): boolean =>
    DENY.test(`${name} ${value} ${text}`);
  return form.buttons.find((button) => denies(button) === (consent === 'deny'));
};

/** Dex has two forms on its consent page, each with one button: the form counts as denying when its fields do. */
const isDenying = (form: HtmlForm): boolean =>
  form.buttons.length > 0 && form.buttons.every(({ text, value }) => DENY.test(`${text} ${value}`));

const toValues = (form: HtmlForm, user: TestUser): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...form.fields].flatMap(([name, { type }]) => {
      if (type === 'password') return [[name, user.password]];
      return ['text', 'email'].includes(type) && NAMES.test(name) ? [[name, user.name]] : [];
    }),
  );

const hasPasswordField = (form: HtmlForm): boolean =>
  [...form.fields.values()].some(({ type }) => type === 'password');

const findForm = (page: VisitedPage, consent: 'allow' | 'deny'): HtmlForm | undefined => {
  const posts = page.forms.filter(({ method }) => method === 'post');
  const [denying] = posts.filter(isDenying);
  if (consent === 'deny' && denying !== undefined) return denying;
  return posts.find((form) => !isDenying(form));
};

/**
 * Opens an address and does what a user does in a browser: signs in, consents, and follows redirects, until a page has no form or
 * `isEnd` accepts the address. A password that is refused ends the walk on that page.
 * @returns the last page; `visited` has every address of the walk
 * @throws {Error} after 10 forms or 20 redirects in a row
 */
export const signIn = async (
  url: string | URL,
  user: TestUser,
  options: SignInOptions = {},
): Promise<VisitedPage> => {
  const { browser = new CookieBrowser(options), consent = 'allow' } = options;
  let page = await browser.open(url);
  const visited = [...page.visited];
  let hasSentPassword = false;
  for (let count = 0; count < MAX_FORMS; count += 1) {
    const form = findForm(page, consent);
    if (page.isEnd || form === undefined) return { ...page, visited };
    if (hasPasswordField(form) && hasSentPassword) return { ...page, visited };
    hasSentPassword ||= hasPasswordField(form);
    page = await browser.submit(page, form, toValues(form, user), findButton(form, consent));
    visited.push(...page.visited);
  }
  throw new Error(`more than ${MAX_FORMS} forms: ${visited.join(' ')}`);
};
