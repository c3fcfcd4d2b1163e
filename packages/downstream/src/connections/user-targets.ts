import type { CredentialKind, ServerCredentials } from '@gateway/call-contract';
import type { Supervisor } from './supervisor.ts';

/** A server that users sign in to, or that gets their credentials. */
export interface UserTarget extends Pick<Supervisor, 'definition' | 'isDesired' | 'generation'> {
  readonly server: string;
  readonly kind: Exclude<CredentialKind, 'shared'>;
}

/** A target whose connections must end. */
interface EndedTarget {
  readonly server: string;
  /** Each connection ends when its calls have ended. */
  readonly mayFinish: boolean;
  /** The server is only stopped: what users knew about it stays known. */
  readonly isStopped: boolean;
}

const isSame = (a: UserTarget, b: UserTarget | undefined): boolean =>
  a.kind === b?.kind &&
  a.definition === b.definition &&
  a.isDesired === b.isDesired &&
  a.generation === b.generation;

/** The servers with connections of users, sorted by name. */
export class UserTargets {
  readonly #credentials: ServerCredentials;
  #targets: ReadonlyMap<string, UserTarget> = new Map();
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

  /**
   * Follows the servers.
   *
   * @param supervisors all servers, sorted by name
   * @returns the targets whose connections must end
   */
  update(supervisors: readonly Supervisor[]): readonly EndedTarget[] {
    const before = this.#targets;
    const targets = supervisors.flatMap((supervisor) => this.#toTarget(supervisor) ?? []);
    const next = new Map(targets.map((target) => [target.server, target]));
    const isUnchanged =
      before.size === next.size &&
      targets.every((target) => isSame(target, before.get(target.server)));
    if (isUnchanged) return [];
    this.#targets = next;
    this.#revision += 1;
    return [...before.values()].flatMap(({ server, generation, definition }) => {
      const now = next.get(server);
      if (now?.isDesired === true && now.generation === generation) return [];
      const mayFinish = now?.isDesired === true && now.generation.mayFinish;
      const isStopped = now?.isDesired === false && now.definition === definition;
      return [{ server, mayFinish, isStopped }];
    });
  }

  /** A server without a sign-in may still demand one; then users can sign in to it. */
  #toTarget({
    definition,
    demandsSignIn,
    isDesired,
    generation,
  }: Supervisor): UserTarget | undefined {
    if (definition.spec.type === 'stdio') return undefined;
    const known = this.#credentials.kindOf(definition);
    const kind = known === 'shared' && demandsSignIn ? 'oauth' : known;
    if (kind === 'shared') return undefined;
    return { server: definition.metadata.name, kind, definition, isDesired, generation };
  }
}
