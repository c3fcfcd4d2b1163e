import { openLink, type LinkPort, type Members } from '@gateway/process-link';

/** The relay between workers, as a worker calls it in the primary process. */
export interface PeerRelayContract {
  /**
   * Sends a message to the other workers.
   *
   * @param text JSON of the message, which the relay does not parse
   * @param to name of the only receiver; all other workers when absent
   */
  send(text: string, to?: string): void;
}

/** A worker, as the relay calls it. */
export interface PeerContract {
  receive(text: string): void;
}

/** Messages are dropped while so many characters of them wait to leave a process. Workers tolerate the loss of messages. */
const MAX_UNSENT = 64 * 1024 * 1024;

/** The members of {@link PeerRelayContract}. */
export const PEER_RELAY_MEMBERS: Members<PeerRelayContract> = {
  send: { kind: 'notification', maxUnsent: MAX_UNSENT },
};

const PEER_MEMBERS: Members<PeerContract> = {
  receive: { kind: 'notification', maxUnsent: MAX_UNSENT },
};

/** Relays messages between workers. */
export class PeerRelay {
  readonly #peers = new Map<string, PeerContract>();

  /** Adds a worker until its channel closes. */
  add(name: string, port: LinkPort): void {
    const implementation: PeerRelayContract = {
      send: (text, to) => {
        this.#relay(name, text, to);
      },
    };
    const peer = openLink<PeerContract>(port, { members: PEER_MEMBERS, implementation });
    this.#peers.set(name, peer);
    port.onClose(() => this.#peers.delete(name));
  }

  #relay(from: string, text: string, to: string | undefined): void {
    const receivers = to === undefined ? this.#peers : new Map([[to, this.#peers.get(to)]]);
    for (const [name, peer] of receivers) if (name !== from) peer?.receive(text);
  }
}
