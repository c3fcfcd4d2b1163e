import { Absent, type ConnectOptions, type Driver } from '../drivers/driver.ts';
import type { Gateway } from '../../gateway.ts';

/** The result of one feature. */
export type Verdict =
  | { readonly kind: 'works'; readonly detail?: string }
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'fails'; readonly problem: string };

/** The longest problem that is recorded. */
const MAX_CHARACTERS = 400;

/** Fails a feature. */
export function expectThat(holds: boolean, problem: string, seen?: unknown): void {
  if (!holds) throw new Error(seen === undefined ? problem : `${problem}: ${JSON.stringify(seen)}`);
}

/**
 * Runs a feature to its verdict.
 *
 * @param run resolves to a remark, or to nothing; rejects with {@link Absent} or any other error
 */
export async function verdictOf(
  run: () => Promise<string | undefined>,
  withinMs: number,
): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no end within ${String(withinMs / 1_000)} s`));
    }, withinMs);
  });
  try {
    const detail = await Promise.race([run(), timeout]);
    return { kind: 'works', ...(detail !== undefined && { detail }) };
  } catch (error) {
    if (error instanceof Absent) return { kind: 'absent', reason: error.message };
    const text = error instanceof Error ? error.message : String(error);
    return { kind: 'fails', problem: text.slice(0, MAX_CHARACTERS) };
  } finally {
    clearTimeout(timer);
  }
}

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

/** Opens a connection, uses it, and closes it. @param use resolves to a remark, or to nothing */
export async function connected(
  driver: Driver,
  options: ConnectOptions,
  use: () => Promise<unknown>,
): Promise<string | undefined> {
  await driver.connect(options);
  try {
    const remark = await use();
    return typeof remark === 'string' ? remark : undefined;
  } finally {
    await driver.close();
  }
}

/** Returns a feature that uses a connection to one of the gateways. */
export const feature = (
  gateway: 'meta' | 'native',
  id: string,
  title: string,
  use: (driver: Driver, stage: Stage) => Promise<unknown>,
): Feature => ({
  id,
  title,
  run: (driver, stage) => connected(driver, { url: stage[gateway].url }, () => use(driver, stage)),
});
