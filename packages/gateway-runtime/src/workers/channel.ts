import type { HubPort } from '@gateway/downstream';

/** What goes over a channel: each topic is a conversation of its own. */
export type Topic = 'life' | 'hub' | 'peers' | 'metrics' | 'workflows' | 'services';

/** The message channel of a process, from either end. */
export interface ProcessEnd {
  /** `sent` is called when the message has left this process, or never will. */
  readonly send: (message: object, sent: () => void) => void;
  readonly onMessage: (handler: (message: unknown) => void) => void;
  readonly onClose: (handler: () => void) => void;
}

/** One conversation of a channel. */
export interface TopicPort extends HubPort {
  /** Sends a message that counts for so much while it waits to leave this process. */
  send(message: object, size?: number): void;
  /** What the messages of this topic that still wait count for. */
  readonly unsent: () => number;
}

/** Divides the message channel between two processes into topics. */
export class Channel {
  readonly #end: ProcessEnd;
  readonly #readers = new Map<unknown, (message: unknown) => void>();
  readonly #closers: (() => void)[] = [];
  #isOpen = true;

  constructor(end: ProcessEnd) {
    this.#end = end;
    end.onMessage((message) => {
      if (typeof message !== 'object' || message === null) return;
      // Both ends are this program; messages of anybody else have no topic that is known here.
      const { topic, body } = message as { readonly topic?: unknown; readonly body?: unknown };
      this.#readers.get(topic)?.(body);
    });
    end.onClose(() => {
      if (!this.#isOpen) return;
      this.#isOpen = false;
      for (const closer of this.#closers) closer();
    });
  }

  /** This end of a topic; what comes before it has a reader is lost. */
  port(topic: Topic): TopicPort {
    let unsent = 0;
    return {
      unsent: () => unsent,
      send: (body, size = 0) => {
        if (!this.#isOpen) return;
        unsent += size;
        this.#end.send({ topic, body }, () => {
          unsent -= size;
        });
      },
      onMessage: (handler) => {
        this.#readers.set(topic, handler);
      },
      onClose: (handler) => {
        this.#closers.push(handler);
      },
    };
  }
}
