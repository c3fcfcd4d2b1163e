import { setTimeout as delay } from 'node:timers/promises';
import type { PeerBus } from '../peers/peer-bus.ts';
import { writtenNotification } from '../protocol/json-rpc.ts';
import type { SessionChannels } from './session-channels.ts';
import { NO_SESSION_LINE, SessionLines, type OpenedLine } from './session-line.ts';
import type { Session, SessionStore } from './session-store.ts';

/** What lines are opened with. */
export interface LineOpenerParts {
  readonly sessions: SessionStore;
  readonly channels: SessionChannels;
  readonly bus: PeerBus;
}

/** How long a client that opens its stream at this moment is waited for, and how often it is looked for. */
const STREAM_WAIT_MS = 1_000;
const LOOK_EVERY_MS = 50;

/** Opens lines to sessions: one of each name, over all processes. */
export class LineOpener {
  readonly #parts: LineOpenerParts;

  constructor(parts: LineOpenerParts) {
    this.#parts = parts;
    const { bus, sessions } = parts;
    bus.on('line-opened', ({ session, name }) => {
      sessions.peek(String(session))?.lines?.end(String(name));
    });
  }

  /** Opens a line once the session has a stream to hear on. */
  async open(session: Session | undefined, name: string): Promise<OpenedLine> {
    if (session === undefined) return NO_SESSION_LINE;
    const { sessions, channels, bus } = this.#parts;
    const hasStream = await this.#findStream(session);
    // The session may have ended while its stream was looked for.
    if (sessions.peek(session.id) !== session) return NO_SESSION_LINE;
    if (!hasStream) return { ok: false, code: 'no-stream' };
    bus.tell('line-opened', { session: session.id, name });
    session.lines ??= new SessionLines();
    const line = session.lines.open(name, ({ method, params }) => {
      const message = writtenNotification(method, params);
      if (message !== undefined) channels.tell(session, message);
    });
    return { ok: true, line };
  }

  async #findStream(session: Session): Promise<boolean> {
    const { channels } = this.#parts;
    const deadline = performance.now() + STREAM_WAIT_MS;
    while (!(await channels.hasStream(session, LOOK_EVERY_MS))) {
      if (performance.now() >= deadline) return false;
      await delay(LOOK_EVERY_MS);
    }
    return true;
  }
}
