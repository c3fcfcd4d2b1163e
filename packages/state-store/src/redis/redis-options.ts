/** Receives changes of the connection: one sentence without addresses of other hosts, keys, values and passwords. */
export interface RedisLog {
  warn(sentence: string): void;
  info(sentence: string): void;
}

/** Options of a store in Redis or Valkey. */
export interface RedisStoreOptions {
  /** `redis://host:port/database` or `rediss://…` for TLS; it may have a user name, and has no password. */
  readonly url: URL;
  /** Returns the password; called at each connection, so that a file may be replaced. */
  readonly password?: () => string | undefined;
  /** Beginning of all names in the server: deployments with different prefixes share a server. */
  readonly prefix: string;
  /** Certificate authorities in PEM for `rediss:`; default those of Node. */
  readonly ca?: string;
  readonly log: RedisLog;
}

const PORT = 6379;

/** Address of a server. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly database: number;
  readonly isTls: boolean;
}

const PROTOCOLS: ReadonlySet<string> = new Set(['redis:', 'rediss:']);

/** Returns why a URL is not one of a server, as the end of a sentence about it, or undefined. */
export const validateRedisUrl = (url: URL): string | undefined => {
  if (!PROTOCOLS.has(url.protocol)) return 'must begin with redis:// or rediss://';
  if (url.hostname === '') return 'must name a host';
  if (url.password !== '') return 'must not contain a password: use state.passwordFile';
  if (!/^(?:\/\d{0,4})?$/.test(url.pathname))
    return 'must end with the number of a database, or without a path';
  return url.search === '' && url.hash === '' ? undefined : 'must not have a query or a fragment';
};

/** Returns the parts of a URL that has no problem. */
export const parseRedisAddress = (url: URL): RedisAddress => ({
  host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
  port: url.port === '' ? PORT : Number(url.port),
  ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
  database: Number(url.pathname.slice(1)),
  isTls: url.protocol === 'rediss:',
});
