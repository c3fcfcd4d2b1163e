import type { LinkPort } from './link-port.ts';

/** Divides one message channel between two processes into independent topics. */
export interface Channel<Topic extends string> {
  /** Returns this end of a topic. Messages of a topic that has no receiver are ignored. */
  port(topic: Topic): LinkPort;
}

/** Limits of a batch. A batch that reaches one of them is sent at once. */
const MAX_BATCH_MESSAGES = 64;
const MAX_BATCH_CHARS = 16 * 1024;

/** Sends the small messages of one turn of the event loop together, because each separate message costs a copy operation and a system call. */
class Batch {
  readonly #port: LinkPort;
  #messages: unknown[] = [];
  #sent: (() => void)[] = [];
  #chars = 0;

  constructor(port: LinkPort) {
    this.#port = port;
  }

  add(entry: readonly [topic: string, message: unknown], sent: () => void, size: number): void {
    if (this.#messages.length === 0) queueMicrotask(this.#flush);
    this.#messages.push(...entry);
    this.#sent.push(sent);
    this.#chars += size;
    if (this.#sent.length >= MAX_BATCH_MESSAGES || this.#chars >= MAX_BATCH_CHARS) this.#flush();
  }

  readonly #flush = (): void => {
    const sent = this.#sent;
    if (sent.length === 0) return;
    const messages = this.#messages;
    this.#messages = [];
    this.#sent = [];
    this.#chars = 0;
    this.#port.send(messages, () => {
      for (const done of sent) done();
    });
  };
}

/** Creates a channel over a process port, which must have no other receiver. */
export const createChannel = <Topic extends string>(port: LinkPort): Channel<Topic> => {
  const receivers = new Map<unknown, (message: unknown) => void>();
  const closeHandlers = new Set<() => void>();
  const batch = new Batch(port);
  let isOpen = true;
  port.onMessage((messages) => {
    if (!Array.isArray(messages)) return;
    for (let at = 0; at + 1 < messages.length; at += 2)
      receivers.get(messages[at])?.(messages[at + 1]);
  });
  port.onClose(() => {
    if (!isOpen) return;
    isOpen = false;
    for (const handler of closeHandlers) handler();
  });
  return {
    port: (topic) => ({
      send: (message, sent, size = 0) => {
        if (isOpen) batch.add([topic, message], sent, size);
        else sent();
      },
      onMessage: (handler) => void receivers.set(topic, handler),
      onClose: (handler) => {
        if (isOpen) closeHandlers.add(handler);
        else handler();
      },
    }),
  };
};
