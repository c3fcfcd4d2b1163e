import type { TopicPort } from './channel.ts';

/** What peers send each other, on its way through the primary. The text is opaque there. */
export interface PeerLetter {
  /** JSON of the message. */
  readonly text: string;
  /** The one peer that it is for; without it, all others. */
  readonly to?: string;
}

/** Characters of letters that may wait to be sent to one process; more are dropped, which peers are prepared for. */
const MAX_UNSENT = 64 * 1024 * 1024;
/** What a letter weighs beside its text. */
const ENVELOPE = 256;

/** Sends a letter unless too many wait. */
export function postLetter(port: TopicPort, letter: PeerLetter): void {
  const size = letter.text.length + ENVELOPE;
  if (port.unsent() === 0 || port.unsent() + size <= MAX_UNSENT) port.send(letter, size);
}

/** Carries letters between the workers. */
export class PeerRelay {
  readonly #peers = new Map<string, TopicPort>();

  /** Lets a worker take part until its channel closes. */
  add(peer: string, port: TopicPort): void {
    this.#peers.set(peer, port);
    port.onMessage((letter) => this.#carry(peer, letter as PeerLetter));
    port.onClose(() => this.#peers.delete(peer));
  }

  #carry(from: string, letter: PeerLetter): void {
    const { to } = letter;
    const receivers = to === undefined ? this.#peers : new Map([[to, this.#peers.get(to)]]);
    for (const [peer, port] of receivers)
      if (peer !== from && port !== undefined) postLetter(port, letter);
  }
}
