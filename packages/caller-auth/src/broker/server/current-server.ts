import type { Provider } from 'oidc-provider';
import type { ServerContext } from './server-context.ts';

/** The authorization server with the keys of one period. */
export interface KeyedServer {
  readonly context: ServerContext;
  readonly provider: Provider;
  readonly callback: ReturnType<Provider['callback']>;
}

/** Creates the authorization server with the keys of the present period. */
export type BuildServer = () => Promise<KeyedServer>;

/** Pause after keys could not be renewed, in milliseconds. */
const RETRY_MS = 60_000;

/**
 * The authorization server with the keys of the present period. Its keys are renewed by the first request of a period. While they cannot be
 * read, the present ones stay in use.
 */
export class CurrentServer {
  readonly #build: BuildServer;
  #latest: KeyedServer;
  #renewing: Promise<KeyedServer> | undefined;
  #retryAt = 0;

  constructor(first: KeyedServer, build: BuildServer) {
    this.#latest = first;
    this.#build = build;
  }

  /** Returns the server without a renewal: for what does not depend on keys. */
  get latest(): KeyedServer {
    return this.#latest;
  }

  /** Returns the server, with renewed keys where they are due. Never rejects. */
  async present(): Promise<KeyedServer> {
    const { keys, now } = this.#latest.context;
    if (now() < keys.renewAt || now() < this.#retryAt) return this.#latest;
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<KeyedServer> {
    const { now, onFailure } = this.#latest.context;
    try {
      this.#latest = await this.#build();
    } catch (error) {
      this.#retryAt = now() + RETRY_MS;
      onFailure(`keys cannot be renewed: ${error instanceof Error ? error.name : 'failed'}`);
    }
    return this.#latest;
  }
}
