import { toWire, type LinkMessage } from './link-message.ts';
import type { LinkPort } from './link-port.ts';
import { sizeOf } from './payload.ts';

/** Size of a message without its payload, in characters. */
const ENVELOPE_CHARS = 64;

/** Returns the size of a message in characters. */
export const messageSize = (message: LinkMessage): number =>
  'payload' in message ? sizeOf(message.payload) + ENVELOPE_CHARS : ENVELOPE_CHARS;

/** Sends messages and counts the characters that have not left this process yet. */
export class Sender {
  readonly #port: LinkPort;
  #unsent = 0;

  constructor(port: LinkPort) {
    this.#port = port;
  }

  /** Sends a message of any size. */
  send(message: LinkMessage, size = messageSize(message)): void {
    this.#unsent += size;
    const sent = (): void => {
      this.#unsent -= size;
    };
    this.#port.send(toWire(message), sent, size);
  }

  /** Sends a message unless more than `maxUnsent` characters would wait. Without waiting messages, any size is sent. */
  offer(message: LinkMessage, maxUnsent: number): boolean {
    const size = messageSize(message);
    if (!this.hasRoomFor(size, maxUnsent)) return false;
    this.send(message, size);
    return true;
  }

  /** Returns whether a message of this size may be sent under the limit. */
  hasRoomFor(size: number, maxUnsent: number): boolean {
    return this.#unsent === 0 || this.#unsent + size <= maxUnsent;
  }
}
