interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
  readonly attributes: string;
}

const defaultPath = ({ pathname }: URL): string =>
  pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));

const pathMatches = (path: string, { pathname }: URL): boolean =>
  path === '/' || pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

const attribute = (line: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}=([^;]*)`, 'i').exec(line)?.[1]?.trim();

const isExpired = (line: string): boolean => {
  const maxAge = attribute(line, 'max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attribute(line, 'expires');
  return expires !== undefined && Date.parse(expires) <= Date.now();
};

const parseCookie = (line: string, url: URL): Cookie => {
  const [pair = ''] = line.split(';', 1);
  const equals = pair.indexOf('=');
  return {
    host: url.hostname,
    path: attribute(line, 'path') ?? defaultPath(url),
    name: pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    attributes: line.slice(pair.length),
  };
};

/**
 * The cookies of one browser (RFC 6265). As in a browser, a cookie belongs to a host and not to a port: two peers on `127.0.0.1` see
 * the cookies of each other. Loopback addresses count as secure.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** Takes the `Set-Cookie` lines of a response of `url`. */
  store(lines: readonly string[], url: URL): void {
    for (const line of lines) {
      const cookie = parseCookie(line, url);
      const key = JSON.stringify([cookie.host, cookie.path, cookie.name]);
      if (isExpired(line)) this.#cookies.delete(key);
      else this.#cookies.set(key, cookie);
    }
  }

  /** Returns the value of the `Cookie` header for `url`, or undefined. */
  header(url: URL): string | undefined {
    const its = [...this.#cookies.values()]
      .filter(({ host, path }) => host === url.hostname && pathMatches(path, url))
      .toSorted((a, b) => b.path.length - a.path.length);
    if (its.length === 0) return undefined;
    return its.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** Returns all cookies as `name` and attributes, without their values. */
  list(): readonly { readonly host: string; readonly name: string; readonly attributes: string }[] {
    return [...this.#cookies.values()].map(({ host, name, attributes }) => ({
      host,
      name,
      attributes,
    }));
  }
}
