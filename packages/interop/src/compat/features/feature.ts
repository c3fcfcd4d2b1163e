import type { ConnectOptions, Driver } from '../drivers/driver.ts';
import type { Gateway } from '../stage/gateway.ts';

/** The gateways that the features of clients run against. */
export interface Stage {
  /** A gateway with all servers, whose clients see meta-tools. */
  readonly meta: Gateway;
  /** A gateway in native mode with the server `everything`. */
  readonly native: Gateway;
  /** Adds a server to the gateway in native mode, so that its list of tools changes. */
  readonly changeTools: () => Promise<void>;
  /** Resolves when the tool `wait` wrote this line since the last call. */
  readonly waitingServerWrote: (line: 'cancelled' | 'started') => Promise<void>;
}

/** One feature of the list that every client runs. */
export interface Feature {
  readonly id: string;
  readonly title: string;
  /** Resolves to a remark, or to nothing. */
  readonly run: (driver: Driver, stage: Stage) => Promise<string | undefined>;
}

/** Opens a connection, uses it, and closes it. */
export async function connected(
  driver: Driver,
  options: ConnectOptions,
  use: () => Promise<string | undefined>,
): Promise<string | undefined> {
  await driver.connect(options);
  try {
    return await use();
  } finally {
    await driver.close();
  }
}
