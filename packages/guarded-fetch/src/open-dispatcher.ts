import type { LookupFunction } from 'node:net';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher } from 'undici';

export interface DispatcherOptions {
  /** Maximum number of connections to one origin; further requests wait. No maximum when absent. */
  readonly connections?: number;
  /** Bounds the TCP and TLS handshakes, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Bounds the time without any part of a response, in milliseconds; no bound when absent. */
  readonly quietMs?: number;
  /** Resolves the names of hosts that are connected to directly. */
  readonly lookup?: LookupFunction;
  readonly isDirect?: boolean;
}

/** Opens a dispatcher. The caller closes it. */
export type OpenDispatcher = (options: DispatcherOptions) => Dispatcher;

const MAX_HEAD_BYTES = 16 * 1024;

const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/** A proxy cannot reach servers on this machine. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '::1'];

/** Returns the hosts that are connected to without a proxy, in the syntax of `NO_PROXY`. */
const listDirectHosts = (): string =>
  [...OWN_HOSTS, process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? ''].join(',');

/** Prevents V8 from compiling the HTTP parser of undici twice, to save memory. Call it after the modules of Node are loaded. */
const disableWasmTierUp = (): void => {
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
};

/**
 * Returns the function that opens all connections of HTTP clients: HTTP/1.1, a pool for each origin, and the proxies that `HTTPS_PROXY`,
 * `HTTP_PROXY` and `NO_PROXY` name. undici is loaded on first use, because many processes send no request.
 */
export const loadDispatchers = async (): Promise<OpenDispatcher> => {
  const { Agent, EnvHttpProxyAgent, Pool } = await import('undici');
  disableWasmTierUp();
  return ({ connections, connectTimeoutMs, quietMs = 0, lookup, isDirect = false }) => {
    const bounds = {
      allowH2: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      connectTimeout: connectTimeoutMs,
      headersTimeout: quietMs,
      bodyTimeout: quietMs,
      ...(connections !== undefined && { connections }),
    };
    const direct = { ...bounds, connect: { ...(lookup !== undefined && { lookup }) } };
    const hasProxy = PROXY_VARIABLES.some((name) => (process.env[name] ?? '') !== '');
    if (isDirect || !hasProxy) return new Agent(direct);
    try {
      return new EnvHttpProxyAgent({
        ...direct,
        noProxy: listDirectHosts(),
        // The bounds also apply to connections to the proxy.
        factory: (origin, options: object) => new Pool(origin, { ...bounds, ...options }),
      });
    } catch (error) {
      throw new Error('HTTP_PROXY or HTTPS_PROXY is not a valid proxy URL; correct or unset it', {
        cause: error,
      });
    }
  };
};
