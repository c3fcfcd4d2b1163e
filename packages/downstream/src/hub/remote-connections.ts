import type { ServerTool } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import type { DownstreamError } from '../requests/call.ts';
import type { ClientInfo } from '../connection/client-session.ts';
import { openConnection } from '../connection/open-connection.ts';
import type { Connection, OpenOutcome } from '../connection/connection.ts';
import type { ConnectionDependencies } from '../connection/server-link.ts';
import { sanitisedLine } from '../wire/reason.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import { hasOtherValuesOnly } from '../wire/referenced-values.ts';
import { secretsOf } from '../wire/secrets.ts';
import { LeavingConnections } from './leaving-connections.ts';
import type { ServerView } from '../supervision/server-view.ts';

/** The dependencies of the connections. */
export interface RemoteConnectionDependencies extends ConnectionDependencies {
  readonly clientInfo: ClientInfo;
  /** Returns the present view of a server; `undefined` when it does not exist. */
  readonly view: (name: string) => ServerView | undefined;
  readonly toolsOf: (name: string) => readonly ServerTool[];
  /** Requests a health check of a server that is unreachable or requires a sign-in. */
  readonly verifyConnection: (name: string) => void;
}

/** A connected server, or the reason why there is no connection. */
export type OpenedPeer =
  | { readonly ok: true; readonly peer: RequestPeer }
  | { readonly ok: false; readonly error: DownstreamError };

/** The first revision without `initialize`; revisions are dates. */
const FIRST_MODERN_REVISION = '2026-07-28';

interface Entry {
  readonly definition: McpServer;
  /** Identifies the connection of the supervisor that this connection belongs to. */
  readonly connectionId: number;
  readonly controller: AbortController;
  readonly opening: Promise<OpenedPeer>;
  opened: OpenedPeer | undefined;
  connection: Connection | undefined;
  /** True when the server answered 401 on this connection after it was established. */
  authRequired: boolean;
}

/** Returns whether any process can connect to the server. */
export const isRemote = ({ definition }: ServerView): boolean => definition.spec.type !== 'stdio';

const isWanted = (view: ServerView | undefined): boolean =>
  view !== undefined && view.state !== 'Disconnected';

/** This process's connections to remote servers that another process supervises. The first request to a server opens its connection. */
export class RemoteConnections {
  readonly #dependencies: RemoteConnectionDependencies;
  readonly #entries = new Map<string, Entry>();
  readonly #leaving = new LeavingConnections();

  constructor(dependencies: RemoteConnectionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the connection to a server that its supervisor has connected; the first call opens it. */
  peer(view: ServerView): Promise<OpenedPeer> | OpenedPeer {
    const connectionId = view.connectionId ?? 0;
    const known = this.#entries.get(view.name);
    if (known?.connectionId === connectionId) return known.opened ?? known.opening;
    if (known !== undefined) this.#drop(view.name, known);
    return this.#open(view, connectionId).opening;
  }

  /** Closes the connections to servers that the supervisor has disconnected or connected again. */
  follow(): void {
    for (const [name, entry] of [...this.#entries])
      if (this.#dependencies.view(name)?.connectionId !== entry.connectionId)
        this.#drop(name, entry);
    this.#leaving.keepOnly((name) => isWanted(this.#dependencies.view(name)));
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    for (const [name, entry] of [...this.#entries]) this.#drop(name, entry);
    await this.#leaving.close();
  }

  #open(view: ServerView, connectionId: number): Entry {
    const controller = new AbortController();
    const { name } = view;
    const dependencies = this.#dependencies;
    const opening = start(dependencies, { view, signal: controller.signal }, (authRequired) => {
      if (!controller.signal.aborted) dependencies.verifyConnection(name);
      entry.authRequired = authRequired;
      this.#drop(name, entry);
    }).then((outcome) => {
      if (outcome.ok) entry.connection = outcome.connection;
      entry.opened = openedOf(dependencies, view, {
        outcome,
        authRequired: () => entry.authRequired,
      });
      if (!outcome.ok || controller.signal.aborted) this.#drop(name, entry);
      return entry.opened;
    });
    const entry: Entry = {
      ...{ connectionId, definition: view.definition },
      controller,
      opening,
      opened: undefined,
      connection: undefined,
      authRequired: false,
    };
    this.#entries.set(name, entry);
    return entry;
  }

  #drop(name: string, entry: Entry): void {
    if (this.#entries.get(name) === entry) this.#entries.delete(name);
    const { connection } = entry;
    const now = this.#dependencies.view(name)?.definition;
    if (connection !== undefined && now !== undefined && hasOtherValuesOnly(entry.definition, now))
      this.#leaving.leave(name, connection);
    else {
      entry.controller.abort(new Error('the server was stopped'));
      if (connection !== undefined) this.#leaving.end(connection);
    }
  }
}

const signInOf = (server: string): DownstreamError => ({ code: 'server.auth-required', server });

const start = async (
  dependencies: RemoteConnectionDependencies,
  { view, signal }: { readonly view: ServerView; readonly signal: AbortSignal },
  onLost: (authRequired: boolean) => void,
): Promise<OpenOutcome> => {
  const { definition, protocolVersion } = view;
  const knownEra =
    protocolVersion === undefined
      ? undefined
      : protocolVersion < FIRST_MODERN_REVISION
        ? 'legacy'
        : 'modern';
  const outcome = await openConnection(
    { server: definition, clientInfo: dependencies.clientInfo, knownEra, signal, lean: true },
    dependencies,
    {
      // The supervisor reads the lists.
      onListChanged: () => undefined,
      onLost: ({ code }) => onLost(code === 'auth-required'),
    },
  );
  if (!outcome.ok && !signal.aborted) dependencies.verifyConnection(view.name);
  return outcome;
};

const openedOf = (
  dependencies: RemoteConnectionDependencies,
  { name, definition }: ServerView,
  opened: { readonly outcome: OpenOutcome; readonly authRequired: () => boolean },
): OpenedPeer => {
  const { outcome } = opened;
  if (outcome.ok) {
    const peer: RequestPeer = {
      connection: outcome.connection,
      get definition() {
        return dependencies.view(name)?.definition ?? definition;
      },
      get statusState() {
        return opened.authRequired() ? 'Auth Required' : 'Connected';
      },
      get requiresAuth() {
        return opened.authRequired();
      },
      get tools() {
        return dependencies.toolsOf(name);
      },
    };
    return { ok: true, peer };
  }
  const { code, reason } = outcome.failure;
  if (code === 'auth-required') return { ok: false, error: signInOf(name) };
  const line = sanitisedLine(reason, secretsOf(definition));
  return { ok: false, error: { code: 'server.connection-lost', server: name, reason: line } };
};
