import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions as TlsOptions } from 'node:https';
import { IDLE_CONNECTION_MS, MAX_CONNECTIONS } from '../limits.ts';

/** The TLS options that distinguish connections. */
const IDENTITY = [
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

const POOL: AgentOptions = {
  keepAlive: true,
  timeout: IDLE_CONNECTION_MS,
  maxSockets: MAX_CONNECTIONS,
};

/**
 * Reuses connections between requests. The client library creates an agent per request, from files that it reads again. An agent with the same
 * certificates is replaced by the previous one, and a new certificate replaces the previous agent. The agent of a proxy is used as it is.
 */
export class ConnectionAgents {
  #shared: HttpAgent | undefined;

  /** Returns the shared agent for the agent of a request. */
  reuse(created: HttpAgent): HttpAgent {
    const prototype: unknown = Object.getPrototypeOf(created);
    const isTls = prototype === HttpsAgent.prototype;
    if (!isTls && prototype !== HttpAgent.prototype) return created;
    const options = optionsOf(created);
    const shared = this.#shared;
    if (
      shared !== undefined &&
      IDENTITY.every((key) => isSame(optionsOf(shared)[key], options[key]))
    )
      return shared;
    const agentOptions = { ...identityOf(options), ...POOL };
    const next = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
    this.#shared = next;
    return next;
  }

  close(): void {
    this.#shared?.destroy();
  }
}

const identityOf = (options: TlsOptions): TlsOptions =>
  Object.fromEntries(
    IDENTITY.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])),
  );
