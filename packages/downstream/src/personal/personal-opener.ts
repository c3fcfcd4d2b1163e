import type { McpServer } from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { ClientInfo } from '../connection/client-session.ts';
import type { Connection } from '../connection/connection.ts';
import { openConnection } from '../connection/open-connection.ts';
import type { ConnectionDependencies } from '../connection/server-link.ts';
import type { ServerCredentials } from '../credentials/server-credentials.ts';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import { createRelistSchedule } from '../lists/relist-schedule.ts';
import type { RelistDelays } from '../lists/relist-schedule.ts';
import type { Era, ServerFeatures } from '../requests/request-connection.ts';
import type { OpenConnections } from './open-connections.ts';
import { createMissedNotices } from './missed-notices.ts';
import type { MissedNotices } from './missed-notices.ts';
import type { OpeningSlots } from './opening-slots.ts';
import { PersonAuthority } from './person-authority.ts';
import type { CredentialProblem } from './person-authority.ts';
import { PersonalConnection } from './personal-connection.ts';
import type { UseObserver } from './personal-connection.ts';
import type { PersonalInventories } from './personal-inventories.ts';
import type { PersonalRecord } from './personal-record.ts';

/** The dependencies of opening connections of persons. */
export interface OpenerDependencies extends ConnectionDependencies, RelistDelays {
  readonly clientInfo: ClientInfo;
  readonly credentials: ServerCredentials;
  readonly inventories: PersonalInventories;
  readonly slots: OpeningSlots;
  readonly open: OpenConnections;
  /** Returns the present definition of a server; `undefined` when it does not exist any more. */
  readonly definitionOf: (server: string) => McpServer | undefined;
  /** The state or the lists of a person at a server changed. */
  readonly onChanged: (record: PersonalRecord) => void;
  readonly onProblem: (record: PersonalRecord, problem: CredentialProblem) => void;
  /** A request was answered with the credential. */
  readonly onAuthorized: (record: PersonalRecord) => void;
  /** The features of a server became known, or changed. */
  readonly onFeatures: () => void;
  /** The server does not know the session of the connection any more. */
  readonly onSessionEnded: (record: PersonalRecord) => void;
  /** The connection ended by itself. */
  readonly onLost: (record: PersonalRecord) => void;
  readonly onResourceUpdated: (
    record: PersonalRecord,
    params: Readonly<Record<string, unknown>>,
  ) => void;
}

const FULL = 'too many connections of persons are in use';

/** An attempt whose connection is open. */
interface Opened {
  readonly record: PersonalRecord;
  readonly server: McpServer;
  readonly authority: PersonAuthority;
  readonly signal: AbortSignal;
}

/** Opens the connections of persons. */
export class PersonalOpener {
  readonly #dependencies: OpenerDependencies;
  /** The last known era of each server, which skips the era probe. */
  readonly #eras = new Map<string, Era>();
  /** The features of each server on its last connection. */
  readonly #features = new Map<string, ServerFeatures>();

  constructor(dependencies: OpenerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Opens the connection of a record. The outcome is in the record. Never rejects. */
  async open(record: PersonalRecord, signal: AbortSignal): Promise<void> {
    const { slots, open } = this.#dependencies;
    const authority = this.#authorityOf(record);
    const credential = await authority.acquire();
    if (signal.aborted) return;
    if (!credential.ok) {
      this.#refused(record, credential);
      return;
    }
    const leave = await slots.enter(record.person.principal.key, signal);
    if (leave === undefined) return;
    const release = open.reserve();
    if (release === undefined) this.#failed(record, FULL);
    else await this.#connect(record, authority, signal);
    release?.();
    leave();
  }

  /** Returns the features of the servers that persons were connected to, by name. */
  get features(): ReadonlyMap<string, ServerFeatures> {
    return this.#features;
  }

  /** Forgets the era of a server whose connection is defined differently. */
  forget(server: string): void {
    this.#eras.delete(server);
    this.#features.delete(server);
  }

  #authorityOf(record: PersonalRecord): PersonAuthority {
    const { credentials, definitionOf, now, onProblem } = this.#dependencies;
    const { server, person } = record;
    const first = definitionOf(server);
    return new PersonAuthority({
      credentials,
      server: () => definitionOf(server) ?? (first as McpServer),
      principal: () => person.principal,
      now,
      onProblem: (problem) => onProblem(record, problem),
    });
  }

  async #connect(
    record: PersonalRecord,
    authority: PersonAuthority,
    signal: AbortSignal,
  ): Promise<void> {
    const { clientInfo, definitionOf, onLost, onSessionEnded, onResourceUpdated } =
      this.#dependencies;
    const server = definitionOf(record.server);
    if (server === undefined) return;
    const notices = createMissedNotices();
    const knownEra = this.#eras.get(record.server);
    const outcome = await openConnection(
      { server, clientInfo, knownEra, signal, authority },
      this.#dependencies,
      {
        onListChanged: () => notices.notice(),
        onResourceUpdated: (params) => onResourceUpdated(record, params),
        onSessionEnded: () => {
          if (!signal.aborted) onSessionEnded(record);
        },
        onLost: () => {
          // The end of an earlier connection does not concern the record.
          if (!signal.aborted) onLost(record);
        },
      },
    );
    if (outcome.ok) await this.#take({ record, server, authority, signal }, outcome, notices);
    else if (!signal.aborted) this.#missed(record, outcome.failure, authority.problem);
  }

  /** Takes a connection with its lists into its record. */
  async #take(
    { record, server, authority, signal }: Opened,
    { connection }: { readonly connection: Connection },
    notices: MissedNotices,
  ): Promise<void> {
    this.#note(record.server, connection);
    const lists = await this.#dependencies.inventories.take(server, connection.lists);
    if (signal.aborted) {
      await connection.close();
      return;
    }
    const relists = this.#relistsOf(record, connection);
    const uses = this.#usesOf(record, connection);
    record.connection = new PersonalConnection({ connection, relists }, authority, uses);
    record.lists = lists;
    record.problem = undefined;
    record.failure = undefined;
    record.failures = 0;
    this.#dependencies.open.touch(record);
    notices.follow(() => relists.notice());
  }

  #note(server: string, { era, features }: Connection): void {
    this.#eras.set(server, era);
    const isKnown = isDeepStrictEqual(this.#features.get(server), features);
    this.#features.set(server, features);
    if (!isKnown) this.#dependencies.onFeatures();
  }

  /** The uses of an earlier connection do not concern the record. */
  #usesOf(record: PersonalRecord, connection: Connection): UseObserver {
    const { open, onProblem, onAuthorized } = this.#dependencies;
    const isPresent = (): boolean => record.connection?.connection === connection;
    return {
      onUse: () => {
        if (isPresent()) open.touch(record);
      },
      onAuthorized: () => {
        if (isPresent()) onAuthorized(record);
      },
      onProblem: (problem) => {
        if (isPresent()) onProblem(record, problem);
      },
    };
  }

  #relistsOf(record: PersonalRecord, connection: Connection) {
    const { inventories, definitionOf, onChanged } = this.#dependencies;
    return createRelistSchedule(this.#dependencies, connection.listReader, async (reading) => {
      const server = definitionOf(record.server);
      const known = record.lists;
      if (server === undefined || known === undefined) return;
      const lists = await inventories.take(server, { ...known, ...reading.lists });
      if (record.connection?.connection !== connection || record.lists === lists) return;
      record.lists = lists;
      onChanged(record);
    });
  }

  #missed(
    record: PersonalRecord,
    { code, reason }: ConnectionFailure,
    problem: CredentialProblem | undefined,
  ): void {
    this.#eras.delete(record.server);
    if (code === 'auth-required' && problem !== undefined) this.#refused(record, problem);
    else this.#failed(record, reason);
  }

  #refused(record: PersonalRecord, problem: CredentialProblem): void {
    record.problem = problem;
    this.#count(record);
  }

  #failed(record: PersonalRecord, reason: string): void {
    record.failure = reason;
    this.#count(record);
  }

  #count(record: PersonalRecord): void {
    record.failures += 1;
    record.failedAt = this.#dependencies.now();
  }
}
