import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions as TlsOptions } from 'node:https';
import { IDLE_CONNECTION_MS, MAX_CONNECTIONS } from './limits.ts';

/** What makes a connection another one. */
const SAME = [
  'ca',
  'cert',
  'key',
  'pfx',
  'passphrase',
  'rejectUnauthorized',
  'servername',
] as const;

const isSame = (a: unknown, b: unknown): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;

const optionsOf = (agent: HttpAgent): TlsOptions =>
  (agent as HttpAgent & { readonly options: TlsOptions }).options;

const KEPT: AgentOptions = {
  keepAlive: true,
  noDelay: true,
  timeout: IDLE_CONNECTION_MS,
  maxSockets: MAX_CONNECTIONS,
};

/**
 * Keeps connections between requests. The client makes one agent per request, from files that it reads anew; one with the same
 * certificates gives way to the agent before it, one with others replaces it. An agent of a proxy is taken as it is.
 */
export class ConnectionAgents {
  #kept: HttpAgent | undefined;

  like(made: HttpAgent): HttpAgent {
    const prototype: unknown = Object.getPrototypeOf(made);
    const isTls = prototype === HttpsAgent.prototype;
    if (!isTls && prototype !== HttpAgent.prototype) return made;
    const options = optionsOf(made);
    const kept = this.#kept;
    if (kept !== undefined && SAME.every((key) => isSame(optionsOf(kept)[key], options[key])))
      return kept;
    const same = { ...sameOf(options), ...KEPT };
    const next = isTls ? new HttpsAgent(same) : new HttpAgent(same);
    this.#kept = next;
    return next;
  }

  close(): void {
    this.#kept?.destroy();
  }
}

const sameOf = (options: TlsOptions): TlsOptions =>
  Object.fromEntries(
    SAME.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])),
  );
