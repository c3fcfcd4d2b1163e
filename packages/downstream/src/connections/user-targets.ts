import type { McpServer } from '@gateway/crd-schemas';
import type { CredentialKind, ServerCredentials } from '../credentials/server-credentials.ts';
import { hasOtherValuesOnly } from '../wire/referenced-values.ts';
import { sameConnection } from './fleet.ts';
import type { Supervisor } from './supervisor.ts';

/** A server that users sign in to, or that gets their credentials. */
export interface UserTarget {
  readonly server: string;
  readonly kind: Exclude<CredentialKind, 'shared'>;
  readonly definition: McpServer;
  /** The server runs, or is meant to run. */
  readonly isDesired: boolean;
  /** Changes when all connections of the server must be replaced. */
  readonly generation: number;
}

/** A target whose connections must end. */
interface EndedTarget {
  readonly server: string;
  /** Each connection ends when its calls have ended. */
  readonly mayFinish: boolean;
  /** The server is only stopped: what users knew about it stays known. */
  readonly isStopped: boolean;
}

/** A server, with what its last definition decides for the next. */
interface FollowedServer extends Pick<UserTarget, 'definition' | 'isDesired' | 'generation'> {
  readonly supervisor: Supervisor;
  /** The server answered HTTP 401 to the shared connection. */
  readonly requiresAuth: boolean;
  /** The calls on the connections of the last generation may finish: only values of Secrets and ConfigMaps have changed. */
  readonly mayFinish: boolean;
}

/** A server that demanded a sign-in demands it until its shared connection works. */
const requiresSignIn = (
  { requiresAuth, connection }: Supervisor,
  known: FollowedServer | undefined,
): boolean => requiresAuth || (connection === undefined && known?.requiresAuth === true);

const isSameServer = (before: McpServer, after: McpServer): boolean =>
  before === after || sameConnection(before, after);

const isSame = (a: UserTarget, b: UserTarget | undefined): boolean =>
  a.kind === b?.kind &&
  a.definition === b.definition &&
  a.isDesired === b.isDesired &&
  a.generation === b.generation;

/** The servers with connections of users, sorted by name. */
export class UserTargets {
  readonly #credentials: ServerCredentials;
  #followed: ReadonlyMap<string, FollowedServer> = new Map();
  #targets: ReadonlyMap<string, UserTarget> = new Map();
  #generations = 0;
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

  get(server: string): UserTarget | undefined {
    return this.#targets.get(server);
  }

  all(): readonly UserTarget[] {
    return [...this.#targets.values()];
  }

  /** Replaces the connections of users to a server at the next update. */
  restarted(server: string): void {
    const known = this.#followed.get(server);
    if (known === undefined) return;
    this.#followed = new Map(this.#followed).set(server, { ...known, isDesired: false });
  }

  /**
   * Follows the servers.
   *
   * @param supervisors all servers, sorted by name
   * @returns the targets whose connections must end
   */
  update(supervisors: readonly Supervisor[]): readonly EndedTarget[] {
    const followed = new Map(
      supervisors.map((supervisor) => [
        supervisor.definition.metadata.name,
        this.#follow(supervisor),
      ]),
    );
    this.#followed = followed;
    const next = new Map(
      [...followed.values()].flatMap((server) => {
        const target = this.#toTarget(server);
        return target === undefined ? [] : [[target.server, target] as const];
      }),
    );
    const before = this.#targets;
    const isUnchanged =
      before.size === next.size &&
      [...before.values()].every((target) => isSame(target, next.get(target.server)));
    if (isUnchanged) return [];
    this.#targets = next;
    this.#revision += 1;
    return [...before.values()].flatMap(({ server, generation, definition }) => {
      const now = next.get(server);
      if (now?.isDesired === true && now.generation === generation) return [];
      const mayFinish = now?.isDesired === true && followed.get(server)?.mayFinish === true;
      const isStopped = now?.isDesired === false && now.definition === definition;
      return [{ server, mayFinish, isStopped }];
    });
  }

  #follow(supervisor: Supervisor): FollowedServer {
    const { definition, state } = supervisor;
    const known = this.#followed.get(definition.metadata.name);
    const { kind } = state.phase;
    const before =
      known?.supervisor === supervisor && known.isDesired ? known.definition : undefined;
    const isSameConnection = before !== undefined && isSameServer(before, definition);
    return {
      supervisor,
      definition,
      isDesired: kind !== 'stopped' && kind !== 'stopping',
      requiresAuth: requiresSignIn(supervisor, isSameConnection ? known : undefined),
      generation:
        isSameConnection && known !== undefined ? known.generation : (this.#generations += 1),
      mayFinish: before !== undefined && hasOtherValuesOnly(before, definition),
    };
  }

  /** A server without a sign-in may still demand one; then users can sign in to it. */
  #toTarget(server: FollowedServer): UserTarget | undefined {
    const { definition, requiresAuth, isDesired, generation } = server;
    if (definition.spec.type === 'stdio') return undefined;
    const known = this.#credentials.kindOf(definition);
    const kind = known === 'shared' && requiresAuth ? 'oauth' : known;
    if (kind === 'shared') return undefined;
    return { server: definition.metadata.name, kind, definition, isDesired, generation };
  }
}
