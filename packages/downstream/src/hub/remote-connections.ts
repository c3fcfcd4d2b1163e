import type { ServerTool } from '@gateway/catalog';
import type { DownstreamError } from '../requests/call.ts';
import type { ClientInfo } from '../connection/client-session.ts';
import { openConnection } from '../connection/connection.ts';
import type { Connection, OpenOutcome } from '../connection/connection.ts';
import type { ConnectionWorld } from '../connection/server-link.ts';
import { sanitisedLine } from '../wire/reason.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import { secretsOf } from '../wire/secrets.ts';
import type { ServerView } from '../supervision/server-view.ts';

/** What the connections are made with. */
export interface RemoteConnectionsWorld extends ConnectionWorld {
  readonly clientInfo: ClientInfo;
  /** The server as it is now; `undefined` when it is gone. */
  readonly view: (name: string) => ServerView | undefined;
  readonly toolsOf: (name: string) => readonly ServerTool[];
  /** A server was not met, or wants a sign-in: its supervision should look. */
  readonly doubt: (name: string) => void;
}

/** A peer that can be asked, or why there is none. */
export type OpenedPeer =
  | { readonly ok: true; readonly peer: RequestPeer }
  | { readonly ok: false; readonly error: DownstreamError };

/** The first revision without `initialize`; revisions are dates. */
const FIRST_MODERN_REVISION = '2026-07-28';

interface Entry {
  /** Which life of the server it belongs to. */
  readonly life: number;
  readonly controller: AbortController;
  readonly opening: Promise<OpenedPeer>;
  opened: OpenedPeer | undefined;
  connection: Connection | undefined;
  /** The server answered 401 after it had let this connection in. */
  authRequired: boolean;
}

/** Whether the server is reached from any process alike. */
export const isRemote = ({ definition }: ServerView): boolean => definition.spec.type !== 'stdio';

/** Connections of this process's own to remote servers that somebody else supervises. None until one is asked for. */
export class RemoteConnections {
  readonly #world: RemoteConnectionsWorld;
  readonly #entries = new Map<string, Entry>();
  readonly #ends = new Set<Promise<void>>();

  constructor(world: RemoteConnectionsWorld) {
    this.#world = world;
  }

  /** The connection to a server that is live where it is supervised; the first use opens it. */
  peer(view: ServerView): Promise<OpenedPeer> | OpenedPeer {
    const life = view.life ?? 0;
    const known = this.#entries.get(view.name);
    if (known?.life === life) return known.opened ?? known.opening;
    if (known !== undefined) this.#drop(view.name, known);
    return this.#open(view, life).opening;
  }

  /** Ends connections to servers that are not live any more, or live anew. */
  follow(): void {
    for (const [name, entry] of [...this.#entries])
      if (this.#world.view(name)?.life !== entry.life) this.#drop(name, entry);
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    for (const [name, entry] of [...this.#entries]) this.#drop(name, entry);
    await Promise.all(this.#ends);
  }

  #open(view: ServerView, life: number): Entry {
    const controller = new AbortController();
    const { name } = view;
    const world = this.#world;
    const opening = start(world, { view, signal: controller.signal }, (authRequired) => {
      if (!controller.signal.aborted) world.doubt(name);
      entry.authRequired = authRequired;
      this.#drop(name, entry);
    }).then((outcome) => {
      if (outcome.ok) entry.connection = outcome.connection;
      entry.opened = openedOf(world, view, { outcome, authRequired: () => entry.authRequired });
      if (!outcome.ok || controller.signal.aborted) this.#drop(name, entry);
      return entry.opened;
    });
    const entry: Entry = {
      life,
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
    entry.controller.abort(new Error('the server was stopped'));
    if (entry.connection === undefined) return;
    const end = entry.connection.close().finally(() => this.#ends.delete(end));
    this.#ends.add(end);
  }
}

const signInOf = (server: string): DownstreamError => ({ code: 'server.auth-required', server });

const start = async (
  world: RemoteConnectionsWorld,
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
    { server: definition, clientInfo: world.clientInfo, knownEra, signal, lean: true },
    world,
    {
      // The lists are the business of who supervises the server.
      onListChanged: () => undefined,
      onLost: ({ code }) => onLost(code === 'auth-required'),
    },
  );
  if (!outcome.ok && !signal.aborted) world.doubt(view.name);
  return outcome;
};

const openedOf = (
  world: RemoteConnectionsWorld,
  { name, definition }: ServerView,
  opened: { readonly outcome: OpenOutcome; readonly authRequired: () => boolean },
): OpenedPeer => {
  const { outcome } = opened;
  if (outcome.ok) {
    const peer: RequestPeer = {
      connection: outcome.connection,
      get definition() {
        return world.view(name)?.definition ?? definition;
      },
      get statusState() {
        return opened.authRequired() ? 'Auth Required' : 'Connected';
      },
      get requiresAuth() {
        return opened.authRequired();
      },
      get tools() {
        return world.toolsOf(name);
      },
    };
    return { ok: true, peer };
  }
  const { code, reason } = outcome.failure;
  if (code === 'auth-required') return { ok: false, error: signInOf(name) };
  const line = sanitisedLine(reason, secretsOf(definition));
  return { ok: false, error: { code: 'server.connection-lost', server: name, reason: line } };
};
