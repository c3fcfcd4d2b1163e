import type { Notification, NotificationChannel } from '@gateway/call-contract';

class Channel implements NotificationChannel {
  readonly #send: (notification: Notification) => void;
  #listeners: (() => void)[] | undefined = [];

  constructor(send: (notification: Notification) => void) {
    this.#send = send;
  }

  notify(notification: Notification): void {
    if (this.#listeners !== undefined) this.#send(notification);
  }

  onEnd(listener: () => void): void {
    if (this.#listeners === undefined) listener();
    else this.#listeners.push(listener);
  }

  end(): void {
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }
}

/** The notification channels of one session, at most one per name. */
export class NotificationChannels {
  readonly #channels = new Map<string, NotificationChannel>();

  /** Number of open channels. */
  get size(): number {
    return this.#channels.size;
  }

  /** Opens a channel and closes an earlier one of its name. */
  open(name: string, send: (notification: Notification) => void): NotificationChannel {
    this.end(name);
    const channel = new Channel(send);
    this.#channels.set(name, channel);
    channel.onEnd(() => {
      if (this.#channels.get(name) === channel) this.#channels.delete(name);
    });
    return channel;
  }

  /** Closes the channel of a name, if there is one. */
  end(name: string): void {
    this.#channels.get(name)?.end();
  }

  /** Closes all channels. */
  close(): void {
    for (const channel of [...this.#channels.values()]) channel.end();
  }
}
