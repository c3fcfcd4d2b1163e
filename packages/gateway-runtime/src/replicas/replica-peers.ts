import { randomBytes } from 'node:crypto';
import type { Peers } from '@gateway/mcp-http';
import type { StateStore } from '@gateway/state-store';

/** Characters of one part. A part of any characters fits into a message of the state store when it is encrypted. */
const PART_CHARS = 160 * 1024;

/** Longest message, in characters. A longer one is not sent. */
const MAX_MESSAGE_CHARS = 16 * 1024 * 1024;

/** Characters of incomplete messages that a process holds. */
const MAX_INCOMPLETE_CHARS = 64 * 1024 * 1024;

/** Incomplete messages that a process holds. */
const MAX_INCOMPLETE = 256;

/** `id index count text` */
const PART = /^([\w-]{12}) (\d{1,4}) (\d{1,4}) /;

/** Returns a message in parts, or none when it is too long. */
export const toParts = (message: string): readonly string[] => {
  if (message.length > MAX_MESSAGE_CHARS) return [];
  const id = randomBytes(9).toString('base64url');
  const texts = split(message);
  return texts.map((text, index) => `${id} ${index} ${texts.length} ${text}`);
};

/** Returns the text in pieces. UTF-8 cannot encode half of a surrogate pair, so no piece ends within one. */
const split = (text: string): readonly string[] => {
  const pieces: string[] = [];
  let start = 0;
  do {
    const isPair = (text.codePointAt(start + PART_CHARS - 1) ?? 0) > LAST_UNPAIRED;
    const end = start + PART_CHARS - (isPair ? 1 : 0);
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
};

/** The last code point of one UTF-16 code unit. */
const LAST_UNPAIRED = 0xffff;

interface Incomplete {
  readonly parts: (string | undefined)[];
  missing: number;
  chars: number;
}

/** Joins the parts of messages. Bounded: the oldest incomplete message is dropped for a new one. */
export class MessageParts {
  /** Oldest first. */
  readonly #incomplete = new Map<string, Incomplete>();
  #chars = 0;

  /** Adds a part. Returns the message that it completes. */
  add(part: string): string | undefined {
    const [head, id, index, count] = PART.exec(part) ?? [];
    if (head === undefined || id === undefined) return undefined;
    const text = part.slice(head.length);
    if (count === '1') return text;
    return this.#join(id, { index: Number(index), count: Number(count) }, text);
  }

  #join(
    id: string,
    { index, count }: { readonly index: number; readonly count: number },
    text: string,
  ): string | undefined {
    if (index >= count || count * PART_CHARS > MAX_MESSAGE_CHARS + PART_CHARS) return undefined;
    const message = this.#incomplete.get(id) ?? this.#begin(id, count);
    if (message.parts.length !== count || message.parts[index] !== undefined) return undefined;
    message.parts[index] = text;
    message.missing -= 1;
    message.chars += text.length;
    this.#chars += text.length;
    if (message.missing === 0) {
      this.#drop(id, message);
      return message.parts.join('');
    }
    this.#limit();
    return undefined;
  }

  #begin(id: string, count: number): Incomplete {
    const message: Incomplete = {
      parts: Array.from<string | undefined>({ length: count }),
      missing: count,
      chars: 0,
    };
    this.#incomplete.set(id, message);
    return message;
  }

  #limit(): void {
    for (const [id, message] of this.#incomplete) {
      if (this.#incomplete.size <= MAX_INCOMPLETE && this.#chars <= MAX_INCOMPLETE_CHARS) return;
      this.#drop(id, message);
    }
  }

  #drop(id: string, { chars }: Incomplete): void {
    this.#incomplete.delete(id);
    this.#chars -= chars;
  }
}

/** The channels of the MCP endpoints and of the recorders of events. */
type PeerChannel = 'mcp-peers' | 'event-peers';

/** Messages are dropped while so many characters of them wait to leave this process. Replicas tolerate the loss of messages. */
const MAX_UNSENT = 64 * 1024 * 1024;

/** A message names the process that it is for; the channel of that process carries it. */
const findReceiver = (message: object): string | undefined =>
  'to' in message && typeof message.to === 'string' ? message.to : undefined;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const toChannel = (everyone: PeerChannel, id: string): string => `${everyone}:${id}`;

/**
 * Returns the other processes that use the same state store, as the MCP endpoint or the recorder of events reaches them. Messages travel through the channels of the
 * store, encrypted like its values. They are lost while the store is away. The end of the
 * store ends the connection.
 */
export const connectReplicaPeers = (
  store: StateStore,
  everyone: PeerChannel = 'mcp-peers',
): Peers => {
  const id = randomBytes(9).toString('base64url');
  const handlers = new Set<(message: unknown) => void>();
  const parts = new MessageParts();
  let unsent = 0;
  const receive = (part: string): void => {
    const text = parts.add(part);
    if (text === undefined) return;
    const message = parsed(text);
    for (const handler of [...handlers]) handler(message);
  };
  const publish = async (channel: string, part: string): Promise<void> => {
    unsent += part.length;
    await store.publish(channel, part).catch(() => undefined);
    unsent -= part.length;
  };
  for (const channel of [everyone, toChannel(everyone, id)]) store.subscribe(channel, receive);
  return {
    id,
    send: (message) => {
      const to = findReceiver(message);
      const text = JSON.stringify(message);
      if (unsent + text.length > MAX_UNSENT) return;
      const channel = to === undefined ? everyone : toChannel(everyone, to);
      for (const part of toParts(text)) void publish(channel, part);
    },
    onMessage: (handler) => {
      handlers.add(handler);
      return () => {
        handlers.delete(handler);
      };
    },
  };
};
