import { isStopRequested, applyStopRequest, type McpServer } from '@gateway/crd-schemas';
import type { StateDirectory } from '@gateway/files';
import type { ControlOutcome, Downstream } from '@gateway/downstream';
import { createResourceKey, type ResourceStore } from '@gateway/resource-store';
import type { Logger } from 'pino';

export interface StopRequestOptions {
  readonly store: Pick<ResourceStore, 'servers'>;
  /** Keeps the requests of file mode. Without it they last as long as the process. */
  readonly text: ReturnType<StateDirectory['text']> | undefined;
  readonly logger: Logger;
}

/** Maximum number of servers whose stop is kept. */
const MAX_NAMES = 10_000;

const formatError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Returns the names in a text; none when it is damaged. */
const parseNames = (text: string): readonly string[] => {
  const parsed: unknown = JSON.parse(text);
  const names: unknown = Array.isArray(parsed) ? parsed : [];
  return (names as readonly unknown[])
    .filter((name) => typeof name === 'string')
    .slice(0, MAX_NAMES);
};

/** The servers of files that were stopped on request. */
class StoppedNames {
  readonly #options: StopRequestOptions;
  readonly #names = new Set<string>();
  #written: Promise<void> = Promise.resolve();
  /** Resolves when the requests of earlier processes are known. */
  readonly read: Promise<void>;

  constructor(options: StopRequestOptions) {
    this.#options = options;
    this.read = this.#read();
  }

  /** Forgets the servers that were removed: one that is added again is a new server. */
  forgetRemoved(before: readonly McpServer[], after: readonly McpServer[]): void {
    const names = new Set(after.map(({ metadata }) => metadata.name));
    for (const { metadata } of before)
      if (this.#names.has(metadata.name) && !names.has(metadata.name))
        this.set(metadata.name, false).catch((error: unknown) => {
          this.#options.logger.warn(
            `the stop of the removed server ${metadata.name} is still recorded: ${formatError(error)}`,
          );
        });
  }

  mark(servers: readonly McpServer[]): readonly McpServer[] {
    return servers.map((server) => applyStopRequest(server, this.#names.has(server.metadata.name)));
  }

  /** Adds or removes a name. Rejects when that cannot be written. */
  set(name: string, isRequested: boolean): Promise<void> {
    if (isRequested) this.#names.add(name);
    else this.#names.delete(name);
    const write = (): Promise<void> | undefined =>
      this.#options.text?.write(`${JSON.stringify([...this.#names].sort())}\n`);
    this.#written = this.#written.catch(() => undefined).then(write);
    return this.#written;
  }

  async #read(): Promise<void> {
    const { text, logger } = this.#options;
    try {
      for (const name of parseNames((await text?.read()) ?? '[]')) this.#names.add(name);
    } catch (error) {
      logger.warn(
        `the servers that were stopped on request are unknown, so they start: ${formatError(error)}`,
      );
    }
  }
}

/**
 * Returns connections to servers whose stop lasts over a restart of the gateway, until a start or restart. In a cluster it is an annotation
 * of the object, so that all replicas follow it; the names in files are kept in the state directory.
 */
export const withStopRequests = (
  downstream: Downstream,
  options: StopRequestOptions,
): Downstream => {
  const { requestStop } = options.store.servers;
  const names = requestStop === undefined ? new StoppedNames(options) : undefined;
  let desired: readonly McpServer[] = [];
  let isRead = names === undefined || options.text === undefined;
  const read = names?.read.then(() => {
    isRead = true;
    update();
  });
  const update = (): void => {
    if (isRead) downstream.apply(names?.mark(desired) ?? desired);
  };
  /** Records a request. Returns why it does not last. */
  const record = async (name: string, isRequested: boolean): Promise<string | undefined> => {
    const server = downstream.servers().find((one) => one.name === name)?.definition;
    if (server === undefined || isStopRequested(server) === isRequested) return undefined;
    if (requestStop !== undefined) {
      const result = await requestStop(
        createResourceKey(name, server.metadata.namespace),
        isRequested,
      );
      if (result.kind === 'failed') return result.text;
      return result.kind === 'invalid' ? result.issues.join('; ') : undefined;
    }
    const written = names?.set(name, isRequested);
    update();
    return written?.then(() => undefined, formatError);
  };
  const control = async (
    name: string,
    act: () => Promise<ControlOutcome>,
    isStop: boolean,
  ): Promise<ControlOutcome> => {
    // The act begins before the servers follow the request, so that its outcome is that of the act.
    const acting = act();
    const problem = await record(name, isStop);
    const outcome = await acting;
    if (problem === undefined || outcome.code === 'unknown' || outcome.code === 'failed')
      return outcome;
    const reason = `it is ${isStop ? 'stopped' : 'started'}, but not after a restart of the gateway: ${problem}`;
    return { code: 'failed', server: name, reason };
  };
  return {
    ...downstream,
    apply: (servers) => {
      names?.forgetRemoved(desired, servers);
      desired = servers;
      update();
    },
    start: (name) => control(name, () => downstream.start(name), false),
    stop: (name) => control(name, () => downstream.stop(name), true),
    restart: (name) => control(name, () => downstream.restart(name), false),
    settled: async () => {
      await read;
      await downstream.settled();
    },
  };
};
