import { isDeepStrictEqual } from 'node:util';
import type { McpServer, ReferencedValues } from '@gateway/crd-schemas';
import type { Downstream } from '@gateway/downstream';
import type { ReferencedTexts } from '@gateway/resource-store';
import type { Logger } from 'pino';
import { keyOf, referencesOf, resolveReferences } from './resolve-references.ts';

/** Options of {@link ReferencedServers}. */
export interface ReferencedServersOptions {
  readonly texts: ReferencedTexts;
  readonly apply: (servers: readonly McpServer[]) => void;
  readonly logger: Logger;
}

/** The last values of a server. They are in force while its definition has the same references. */
interface Known {
  readonly references: string;
  readonly values: Readonly<Record<string, string>>;
}

const idOf = ({ metadata: { namespace, name } }: McpServer): string => `${namespace}/${name}`;

/**
 * Adds the values of Secrets and ConfigMaps to the servers that name them, now and after each change. A server is applied when its values
 * were read once. When a value disappears, the last ones stay in force: the end of an object must not end a connection.
 */
export class ReferencedServers {
  readonly #options: ReferencedServersOptions;
  readonly #stop: () => void;
  readonly #known = new Map<string, Known>();
  #desired: readonly McpServer[] = [];
  #applied: readonly McpServer[] | undefined;
  #hasReferences = false;
  #read: Promise<void> = Promise.resolve();

  constructor(options: ReferencedServersOptions) {
    this.#options = options;
    this.#stop = options.texts.subscribe(() => {
      if (this.#hasReferences) this.#update();
    });
  }

  /** Applies the desired servers. */
  readonly apply = (servers: readonly McpServer[]): void => {
    this.#desired = servers;
    const keys = servers.flatMap((server) =>
      referencesOf(server).map((reference) => keyOf(server, reference)),
    );
    if (keys.length > 0 || this.#hasReferences) {
      this.#hasReferences = keys.length > 0;
      this.#read = this.#options.texts.follow(keys).then(() => {
        this.#update();
      });
    }
    this.#update();
  };

  /** Resolves when the values were read, or could not be read. */
  readonly settled = (): Promise<void> => this.#read;

  close(): void {
    this.#stop();
    this.#options.texts.close();
  }

  #update(): void {
    const before = new Map(this.#applied?.map((server) => [idOf(server), server]));
    const servers = this.#desired.flatMap((server) => this.#resolved(server, before) ?? []);
    const ids = new Set(this.#desired.map(idOf));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
    const isSame =
      this.#applied?.length === servers.length &&
      servers.every((server, index) => server === this.#applied?.[index]);
    if (isSame) return;
    this.#applied = servers;
    this.#options.apply(servers);
  }

  /** Returns the server with its values, the same object while both are unchanged; while they are pending, the previous one. */
  #resolved(server: McpServer, before: ReadonlyMap<string, McpServer>): McpServer | undefined {
    if (referencesOf(server).length === 0) return server;
    const previous = before.get(idOf(server));
    const referenced = this.#valuesOf(server);
    if (referenced === undefined) return previous;
    const { problem } = referenced;
    if (problem !== undefined && problem !== previous?.referenced?.problem)
      this.#options.logger.warn({ server: server.metadata.name }, problem);
    const next = { ...server, referenced };
    return isDeepStrictEqual(next, previous) ? previous : Object.freeze(next);
  }

  /** Returns undefined while the values are pending. */
  #valuesOf(server: McpServer): ReferencedValues | undefined {
    const id = idOf(server);
    const references = JSON.stringify(referencesOf(server));
    const resolution = resolveReferences(server, this.#options.texts.read);
    switch (resolution.kind) {
      case 'pending':
        return undefined;
      case 'resolved':
        this.#known.set(id, { references, values: resolution.values });
        return { values: resolution.values };
      case 'missing': {
        const known = this.#known.get(id);
        return {
          ...(known?.references === references && { values: known.values }),
          problem: resolution.problem,
        };
      }
    }
  }
}

/** The time for which the start of a gateway waits for values, in milliseconds. */
const MAX_WAIT_MS = 5_000;

const within = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
};

/** Returns connections to servers that get the values of their references. */
export const withReferences = (
  downstream: Downstream,
  options: Pick<ReferencedServersOptions, 'texts' | 'logger'>,
): Downstream => {
  const servers = new ReferencedServers({
    ...options,
    apply: (resolved) => {
      downstream.apply(resolved);
    },
  });
  return {
    ...downstream,
    apply: servers.apply,
    settled: async () => {
      await within(servers.settled());
      await downstream.settled();
    },
    close: async () => {
      servers.close();
      await downstream.close();
    },
  };
};
