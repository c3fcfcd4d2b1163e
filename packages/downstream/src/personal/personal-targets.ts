import type { McpServer } from '@gateway/crd-schemas';
import type { CredentialKind, ServerCredentials } from '../credentials/server-credentials.ts';

/** A server as its supervisor shows it. */
export interface SupervisedServer {
  readonly definition: McpServer;
  /** The server answered HTTP 401 to the shared connection. */
  readonly requiresAuth: boolean;
  /** The server runs, or is meant to run. */
  readonly isWanted: boolean;
  /** Changes when all connections of the server must be replaced. */
  readonly generation: number;
  /** The calls on the connections of the last generation may finish: only values of Secrets and ConfigMaps have changed. */
  readonly mayFinish: boolean;
}

/** A target whose connections must end. */
export interface EndedTarget {
  readonly server: string;
  /** Each connection ends when its calls have ended. */
  readonly mayFinish: boolean;
  /** The server is only stopped: what persons knew about it stays known. */
  readonly isStopped: boolean;
}

/** A server with connections of persons. */
export interface PersonalTarget {
  readonly server: string;
  readonly kind: Exclude<CredentialKind, 'shared'>;
  readonly definition: McpServer;
  readonly isWanted: boolean;
  readonly generation: number;
}

/** A server without sign-in of its own may still demand one; then persons can sign in to it. */
const kindOf = (
  { definition, requiresAuth }: SupervisedServer,
  credentials: ServerCredentials,
): CredentialKind => {
  if (definition.spec.type === 'stdio') return 'shared';
  const kind = credentials.kindOf(definition);
  return kind === 'shared' && requiresAuth ? 'oauth' : kind;
};

const targetOf = (
  server: SupervisedServer,
  credentials: ServerCredentials,
): readonly PersonalTarget[] => {
  const { definition, isWanted, generation } = server;
  const kind = kindOf(server, credentials);
  return kind === 'shared'
    ? []
    : [{ server: definition.metadata.name, kind, definition, isWanted, generation }];
};

const isSame = (a: PersonalTarget, b: PersonalTarget | undefined): boolean =>
  a.kind === b?.kind &&
  a.definition === b.definition &&
  a.isWanted === b.isWanted &&
  a.generation === b.generation;

/** The servers with connections of persons, sorted by name. */
export class PersonalTargets {
  readonly #credentials: ServerCredentials;
  #targets: ReadonlyMap<string, PersonalTarget> = new Map();
  #revision = 0;

  constructor(credentials: ServerCredentials) {
    this.#credentials = credentials;
  }

  /** Changes with the targets. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#targets.size;
  }

  get(server: string): PersonalTarget | undefined {
    return this.#targets.get(server);
  }

  all(): Iterable<PersonalTarget> {
    return this.#targets.values();
  }

  /**
   * Follows the servers.
   *
   * @param servers all servers, sorted by name
   * @returns the targets whose connections must end; `undefined` when nothing changed
   */
  update(servers: readonly SupervisedServer[]): readonly EndedTarget[] | undefined {
    const next = new Map(
      servers
        .flatMap((server) => targetOf(server, this.#credentials))
        .map((target) => [target.server, target] as const),
    );
    const before = this.#targets;
    const isUnchanged =
      before.size === next.size &&
      [...before.values()].every((target) => isSame(target, next.get(target.server)));
    if (isUnchanged) return undefined;
    this.#targets = next;
    this.#revision += 1;
    const finishing = new Set(
      servers
        .filter(({ mayFinish }) => mayFinish)
        .map(({ definition }) => definition.metadata.name),
    );
    return [...before.values()].flatMap(({ server, generation, definition }) => {
      const now = next.get(server);
      if (now?.isWanted === true && now.generation === generation) return [];
      const mayFinish = now?.isWanted === true && finishing.has(server);
      const isStopped = now?.isWanted === false && now.definition === definition;
      return [{ server, mayFinish, isStopped }];
    });
  }
}
