import { resolvesWithin } from '@gateway/call-contract';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { type McpServer, placeholderWarnings, type ReferencedValues } from '@gateway/crd-schemas';
import type { Downstream } from '@gateway/downstream';
import type { ReferencedTexts } from '@gateway/resource-store';
import type { Logger } from 'pino';
import { createFollowedFiles } from '@gateway/downstream-auth';
import {
  filesOf,
  keyOf,
  type PlaceholderSources,
  referencesOf,
  resolveValues,
  textsWithPlaceholders,
} from './resolve-values.ts';

/** The most warnings that are remembered. */
const MAX_WARNINGS = 1_024;

/** Finds texts that look like placeholders and are none, and reports each once. */
class BareNames {
  readonly #reported = new Set<string>();

  /** Returns a warning for each new text of a server. */
  warningsOf({ metadata: { name: server }, spec }: McpServer): readonly string[] {
    return placeholderWarnings(spec).filter((warning) => {
      const id = JSON.stringify([server, warning]);
      if (this.#reported.has(id) || this.#reported.size >= MAX_WARNINGS) return false;
      this.#reported.add(id);
      return true;
    });
  }
}

/** Options of {@link ReferencedServers}. */
interface ReferencedServersOptions {
  readonly texts: ReferencedTexts;
  /** The values of placeholders in definitions of files; absent in a cluster, where placeholders stay as they are. */
  readonly placeholders?: PlaceholderSources;
  readonly apply: (servers: readonly McpServer[]) => void;
  readonly logger: Logger;
}

/** The last values of a server. They are in force while its definition has the same references. */
interface Known {
  readonly references: string;
  readonly values: Omit<ReferencedValues, 'problem'>;
}

const idOf = ({ metadata: { namespace, name } }: McpServer): string => `${namespace}/${name}`;

/**
 * Adds the values of Secrets, ConfigMaps and placeholders to the servers that name them, now and after each change. A server is applied when its values
 * were read once. When a value disappears, the last ones stay in force: the end of an object must not end a connection.
 */
export class ReferencedServers {
  readonly #options: ReferencedServersOptions;
  readonly #stop: readonly (() => void)[];
  readonly #bareNames = new BareNames();
  readonly #known = new Map<string, Known>();
  #desired: readonly McpServer[] = [];
  #applied: readonly McpServer[] | undefined;
  #hasReferences = false;
  #isClosed = false;
  #read: Promise<void> = Promise.resolve();

  constructor(options: ReferencedServersOptions) {
    this.#options = options;
    const onChange = (): void => {
      if (this.#hasReferences) this.#update();
    };
    this.#stop = [
      options.texts.subscribe(onChange),
      ...(options.placeholders === undefined
        ? []
        : [options.placeholders.files.subscribe(onChange)]),
    ];
  }

  /** Applies the desired servers. */
  readonly apply = (servers: readonly McpServer[]): void => {
    this.#desired = servers;
    const keys = servers.flatMap((server) =>
      referencesOf(server).map((reference) => keyOf(server, reference)),
    );
    const { texts, placeholders } = this.#options;
    const files = placeholders === undefined ? [] : servers.flatMap(filesOf);
    if (keys.length + files.length > 0 || this.#hasReferences) {
      this.#hasReferences = keys.length + files.length > 0;
      this.#read = Promise.all([texts.follow(keys), placeholders?.files.follow(files)]).then(() => {
        this.#update();
      });
    }
    if (placeholders !== undefined) this.#warn(servers);
    this.#update();
  };

  /** Resolves when the values were read, or could not be read. */
  readonly settled = (): Promise<void> => this.#read;

  /** Ends the changes; no servers are applied afterwards. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stop) stop();
    this.#options.texts.close();
    this.#options.placeholders?.files.close();
  }

  #warn(servers: readonly McpServer[]): void {
    for (const server of servers)
      for (const warning of this.#bareNames.warningsOf(server))
        this.#options.logger.warn({ server: server.metadata.name }, warning);
  }

  #hasValues(server: McpServer): boolean {
    const { placeholders } = this.#options;
    return (
      referencesOf(server).length > 0 ||
      (placeholders !== undefined && textsWithPlaceholders(server).length > 0)
    );
  }

  #update(): void {
    if (this.#isClosed) return;
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
    if (!this.#hasValues(server)) return server;
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
    const references = JSON.stringify([referencesOf(server), textsWithPlaceholders(server)]);
    const resolution = resolveValues(server, this.#options);
    switch (resolution.kind) {
      case 'pending':
        return undefined;
      case 'resolved':
        this.#known.set(id, { references, values: resolution.values });
        return resolution.values;
      case 'missing': {
        const known = this.#known.get(id);
        return {
          ...(known?.references === references && known.values),
          problem: resolution.problem,
        };
      }
    }
  }
}

/** The time for which the start of a gateway waits for values, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/** Options of {@link withReferences}. */
interface ReferenceOptions extends Pick<ReferencedServersOptions, 'texts' | 'logger'> {
  /** The configuration directory of definitions in files; absent in a cluster. */
  readonly directory?: string | undefined;
}

/** Returns connections to servers that get the values of their references, and in file mode of their placeholders. */
export const withReferences = (
  downstream: Downstream,
  { directory, ...options }: ReferenceOptions,
): Downstream => {
  const servers = new ReferencedServers({
    ...options,
    ...(directory !== undefined && {
      placeholders: { files: createFollowedFiles({ directory }), environment: process.env },
    }),
    apply: (resolved) => {
      downstream.apply(resolved);
    },
  });
  return {
    ...downstream,
    apply: servers.apply,
    settled: async () => {
      await resolvesWithin(servers.settled(), MAX_WAIT_MS);
      await downstream.settled();
    },
    close: async () => {
      servers.close();
      await downstream.close();
    },
  };
};
