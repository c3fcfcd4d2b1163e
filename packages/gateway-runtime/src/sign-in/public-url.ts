import { isLoopbackHost, type Address } from '@gateway/gateway-config';

/** Options of {@link PublicUrl}. */
export interface PublicUrlOptions {
  /** `http.publicUrl` of the configuration. */
  readonly configured?: string | undefined;
  /** The listen address; absent for stdio. */
  readonly address?: Address | undefined;
}

/** The URL under which browsers reach the gateway: the configured one, or that of a listener on a loopback address. */
export class PublicUrl {
  readonly #configured: URL | undefined;
  readonly #address: Address | undefined;
  readonly #listening: Promise<URL>;
  #resolve: (url: URL) => void = () => undefined;

  constructor({ configured, address }: PublicUrlOptions) {
    this.#configured = configured === undefined ? undefined : new URL(configured);
    this.#address = address;
    this.#listening = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Records the URL of the listener; its path is ignored. */
  listening(url: string): void {
    this.#resolve(new URL(new URL(url).origin));
  }

  /** Returns the URL; `undefined` when the gateway listens on other addresses and none is configured. */
  readonly current = async (): Promise<URL | undefined> => {
    if (this.#configured !== undefined) return this.#configured;
    if (this.#address === undefined || !(await isLoopbackHost(this.#address.host)))
      return undefined;
    return this.#listening;
  };
}
