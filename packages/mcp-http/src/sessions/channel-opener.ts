import { NO_SESSION, type OpenedChannel } from '@gateway/call-contract';
import { setTimeout as delay } from 'node:timers/promises';
import type { PeerBus } from '../peers/peer-bus.ts';
import { writtenNotification } from '../protocol/json-rpc.ts';
import type { SessionChannels } from './session-channels.ts';
import { NotificationChannels } from './notification-channels.ts';
import type { SessionStore } from './session-store.ts';
import type { Session } from './session.ts';

/** The collaborators of {@link ChannelOpener}. */
export interface ChannelOpenerDependencies {
  readonly sessions: SessionStore;
  readonly channels: SessionChannels;
  readonly bus: PeerBus;
}

/** How long a client that opens its stream at this moment is waited for, and how often it is looked for. */
const STREAM_WAIT_MS = 1_000;
const LOOK_EVERY_MS = 50;

/** Opens notification channels to sessions: one per name, over all processes. */
export class ChannelOpener {
  readonly #dependencies: ChannelOpenerDependencies;

  constructor(dependencies: ChannelOpenerDependencies) {
    this.#dependencies = dependencies;
    const { bus, sessions } = dependencies;
    bus.on('channel-opened', ({ session, name }) => {
      sessions.peek(String(session))?.notificationChannels?.end(String(name));
    });
  }

  /** Opens a channel once the session has a stream that can carry notifications. */
  async open(session: Session | undefined, name: string): Promise<OpenedChannel> {
    if (session === undefined) return NO_SESSION;
    const { sessions, channels, bus } = this.#dependencies;
    const hasStream = await this.#findStream(session);
    // The session may have ended while its stream was looked for.
    if (sessions.peek(session.id) !== session) return NO_SESSION;
    if (!hasStream) return { ok: false, code: 'no-stream' };
    bus.send('channel-opened', { session: session.id, name });
    session.notificationChannels ??= new NotificationChannels();
    const channel = session.notificationChannels.open(name, ({ method, params }) => {
      const message = writtenNotification(method, params);
      if (message !== undefined) channels.send(session, message);
    });
    return { ok: true, channel };
  }

  async #findStream(session: Session): Promise<boolean> {
    const { channels } = this.#dependencies;
    const deadline = performance.now() + STREAM_WAIT_MS;
    while (!(await channels.hasStream(session, LOOK_EVERY_MS))) {
      if (performance.now() >= deadline) return false;
      await delay(LOOK_EVERY_MS);
    }
    return true;
  }
}
