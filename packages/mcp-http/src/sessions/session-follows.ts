import { formatNotification } from '@gateway/mcp-wire';
import type { JsonObject, RpcError } from '@gateway/call-contract';
import { ResourceSubscriptions } from '../changes/resource-subscriptions.ts';
import { scopeHeaderReader, scopeHeaders } from '../protocol/request-headers.ts';
import type { EndpointParts } from './endpoint-parts.ts';
import { newestChannel, type SessionChannels } from './session-channels.ts';
import type { Session, StreamReader } from './session-store.ts';
import type { FollowedResource } from './shared-sessions.ts';

/**
 * The resources that sessions follow. Where processes share sessions, the process with the newest stream of a session follows its resources,
 * so that they survive the end of the process that subscribed.
 */
export class SessionFollows {
  readonly #parts: EndpointParts;
  readonly #channels: SessionChannels;

  constructor(parts: EndpointParts, channels: SessionChannels) {
    this.#parts = parts;
    this.#channels = channels;
    const { bus, sessions } = parts;
    channels.onOpened((session, hasMissed) => void this.#restore(session, hasMissed));
    bus.on('unsubscribed', ({ session: id, uri }) => {
      sessions.peek(String(id))?.subscriptions?.remove(String(uri));
    });
    bus.on('follows-changed', ({ session: id }) => {
      const session = sessions.peek(String(id));
      if (session !== undefined) void this.#restore(session, false);
    });
    bus.on('follows-taken', ({ session: id, uris }) => {
      const followed = sessions.peek(String(id))?.subscriptions;
      if (followed === undefined || !Array.isArray(uris)) return;
      for (const uri of uris) followed.remove(String(uri));
    });
  }

  /** Follows a resource for a session; gives the error when it cannot be followed, rejects on a bug of the service. */
  async add(
    session: Session,
    uri: string,
    { principal, header }: StreamReader,
  ): Promise<RpcError | undefined> {
    const { shared, service, bus } = this.#parts;
    const error = await this.#follow(session, uri, { principal, header });
    if (error !== undefined || shared === undefined) return error;
    await shared.follow(session, { uri, scope: scopeHeaders(service, header) });
    if (newestChannel(session) === undefined) bus.send('follows-changed', { session: session.id });
    return undefined;
  }

  /** Stops following a resource for a session, in all processes. */
  async remove(session: Session, uri: string): Promise<void> {
    const { shared, bus } = this.#parts;
    const isHere = session.subscriptions?.remove(uri) === true;
    await shared?.unfollow(session, uri);
    if (!isHere || shared !== undefined) bus.send('unsubscribed', { session: session.id, uri });
  }

  /**
   * Follows what the session follows by its record, when this process has a stream of it. @param hasMissed the client may have missed
   * updates: every resource is announced
   */
  async #restore(session: Session, hasMissed: boolean): Promise<void> {
    const { shared, bus, service } = this.#parts;
    const reader = newestChannel(session)?.reader;
    if (shared === undefined || reader === undefined || service.subscribe === undefined) return;
    const recorded = await shared.followed(session);
    const followed = await Promise.all(
      recorded.map((resource) => this.#restoreOne(session, resource, reader)),
    );
    const uris = followed.flat();
    if (uris.length > 0) bus.send('follows-taken', { session: session.id, uris });
    if (hasMissed) for (const uri of uris) this.#announce(session, { uri });
  }

  async #restoreOne(
    session: Session,
    { uri, scope }: FollowedResource,
    { principal }: StreamReader,
  ): Promise<readonly string[]> {
    const header = scopeHeaderReader(scope);
    if (header === undefined) return [];
    // A bug of the service for one resource must not keep the others.
    const error = await this.#follow(session, uri, { principal, header }).catch(() => 'failed');
    return error === undefined ? [uri] : [];
  }

  async #follow(
    session: Session,
    uri: string,
    { principal, header }: StreamReader,
  ): Promise<RpcError | undefined> {
    const subscriptions = (session.subscriptions ??= this.#open(session));
    const context = { principal, sessionId: session.id, header };
    const error = await subscriptions.add(uri, context);
    // The session may have ended while the service was asked.
    if (this.#parts.sessions.peek(session.id) !== session) subscriptions.close();
    return error;
  }

  #open(session: Session): ResourceSubscriptions {
    const { service, limits } = this.#parts;
    return new ResourceSubscriptions(service, limits.maxSubscriptions, (params) =>
      this.#announce(session, params),
    );
  }

  #announce(session: Session, params: JsonObject): void {
    const message = formatNotification('notifications/resources/updated', params);
    this.#channels.send(session, message);
  }
}
