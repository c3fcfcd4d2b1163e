import {
  openGateway,
  type GatewayAddress,
  type GatewayClient,
  type OpenGateway,
} from './gateway-client.ts';

/** Most sessions that are open at the same time: one for each gateway and toolset. */
const MAX_SESSIONS = 4;

/** Sessions that stay open between commands. */
export interface GatewaySessions {
  /** Runs `use` in an open session to the address. @throws CommandFailure when none can be opened */
  run<T>(address: GatewayAddress, use: (gateway: GatewayClient) => Promise<T>): Promise<T>;
}

const keyOf = ({ url, toolset }: GatewayAddress): string => JSON.stringify([url.href, toolset]);

/**
 * Keeps one session for each gateway and toolset. Sends a ping before it uses a session again, and opens another one when the gateway does
 * not answer it: a request is never sent twice. A session in which notifications were requested is not used again.
 */
export class KeptSessions implements GatewaySessions {
  readonly #open: (address: GatewayAddress) => Promise<OpenGateway>;
  readonly #kept = new Map<string, OpenGateway>();

  constructor(open: (address: GatewayAddress) => Promise<OpenGateway> = openGateway) {
    this.#open = open;
  }

  async run<T>(address: GatewayAddress, use: (gateway: GatewayClient) => Promise<T>): Promise<T> {
    const key = keyOf(address);
    const session = (await this.#takeLive(key)) ?? (await this.#open(address));
    try {
      return await use(session.gateway);
    } finally {
      await this.#giveBack(key, session);
    }
  }

  /** Closes all sessions that are not in use. */
  async close(): Promise<void> {
    const sessions = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(sessions.map((session) => session.close()));
  }

  /** Takes a session, so that no other command uses it, and checks that the gateway still knows it. */
  async #takeLive(key: string): Promise<OpenGateway | undefined> {
    const session = this.#kept.get(key);
    if (session === undefined) return undefined;
    this.#kept.delete(key);
    const isLive = await session.gateway.ping().then(
      () => true,
      () => false,
    );
    if (isLive) return session;
    await session.close();
    return undefined;
  }

  async #giveBack(key: string, session: OpenGateway): Promise<void> {
    if (session.isFollowing() || this.#kept.has(key)) {
      await session.close();
      return;
    }
    this.#kept.set(key, session);
    const [oldest] = this.#kept;
    if (this.#kept.size <= MAX_SESSIONS || oldest === undefined) return;
    this.#kept.delete(oldest[0]);
    await oldest[1].close();
  }
}
