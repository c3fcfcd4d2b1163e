import { CookieJar } from './cookie-jar.ts';
import { formsOf, type FormButton, type HtmlForm } from './html-form.ts';

/** A page that a browser shows. */
export interface Page {
  /** Where the page is, after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly forms: readonly HtmlForm[];
  /** Every address of this navigation, in order. */
  readonly visited: readonly string[];
  /** The redirect was not followed: `isEnd` accepted its address. */
  readonly isEnd: boolean;
}

/** Options of a browser. */
export interface BrowserOptions {
  /** Origins that have other addresses in the test: `{ 'https://gateway.test': 'http://127.0.0.1:4711' }`. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Recognizes addresses to which no request is sent, such as the redirect address of a client that does not listen. */
  readonly isEnd?: (url: URL) => boolean;
}

const MAX_REDIRECTS = 20;
const FORM = 'application/x-www-form-urlencoded';

/** The parts of a request of a navigation. */
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
  open(url: string | URL): Promise<Page> {
    return this.#navigate(new URL(url), { method: 'GET' });
  }

  /** Submits a form of a page. @param values replace the values of fields */
  submit(
    page: Page,
    form: HtmlForm,
    values: Readonly<Record<string, string>> = {},
    button?: FormButton,
  ): Promise<Page> {
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

  async #navigate(first: URL, start: Navigation): Promise<Page> {
    const visited: string[] = [];
    let url = first;
    let navigation = start;
    while (visited.length <= MAX_REDIRECTS) {
      visited.push(url.href);
      if (this.#options.isEnd?.(url) === true) return endOf(url, visited);
      const response = await this.request(url, requestOf(navigation));
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null)
        return pageOf(url, visited, response, await response.text());
      await response.body?.cancel();
      if (![307, 308].includes(response.status)) navigation = { method: 'GET' };
      url = new URL(location, url);
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects: ${visited.join(' ')}`);
  }
}

const requestOf = ({ method, body, referrer }: Navigation): RequestInit => ({
  method,
  ...(body !== undefined && { body }),
  headers: {
    accept: 'text/html',
    ...(body !== undefined && { 'content-type': FORM }),
    ...(referrer !== undefined && { origin: new URL(referrer).origin }),
  },
});

const pageOf = (url: URL, visited: readonly string[], response: Response, text: string): Page => ({
  url: url.href,
  status: response.status,
  headers: response.headers,
  text,
  forms: formsOf(text),
  visited,
  isEnd: false,
});

const endOf = (url: URL, visited: readonly string[]): Page => ({
  url: url.href,
  status: 0,
  headers: new Headers(),
  text: '',
  forms: [],
  visited,
  isEnd: true,
});
