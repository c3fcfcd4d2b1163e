import type { DownstreamAuth } from '@gateway/downstream-auth';
import { serveRoutes, type RouteServing } from '@gateway/mcp-http';

/** Time after the last sign-in in which the listener stays open, in milliseconds: a person has 10 minutes for a sign-in. */
const OPEN_MS = 11 * 60_000;

/** The listener for browsers of a gateway that has no other one. It opens when a sign-in starts and closes when no sign-in can be running. */
export class LoopbackCallback {
  readonly #routes: () => Pick<DownstreamAuth, 'routes' | 'prefixes'>;
  #serving: Promise<RouteServing> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(routes: () => Pick<DownstreamAuth, 'routes' | 'prefixes'>) {
    this.#routes = routes;
  }

  /** Opens the listener when it is closed. @returns its URL; `undefined` when no port can be taken */
  readonly url = async (): Promise<URL | undefined> => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.close(), OPEN_MS).unref();
    const { routes, prefixes } = this.#routes();
    this.#serving ??= serveRoutes({
      ...{ host: '127.0.0.1', port: 0, routes, prefixes },
      methods: ['GET', 'POST'],
    });
    try {
      return new URL(new URL((await this.#serving).url).origin);
    } catch {
      this.#serving = undefined;
      return undefined;
    }
  };

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const serving = this.#serving;
    this.#serving = undefined;
    await serving?.then(({ close }) => close()).catch(() => undefined);
  }
}
