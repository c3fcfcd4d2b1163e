import { randomBytes } from 'node:crypto';
import type { Peers } from '@gateway/mcp-http';
import type { StateStore } from '@gateway/state-store';
import { MessageParts, partsOf } from './message-parts.ts';

/** The channels of the MCP endpoints and of the recorders of events. */
type PeerChannel = 'mcp-peers' | 'event-peers';

/** Messages are dropped while so many characters of them wait to leave this process. Replicas tolerate the loss of messages. */
const MAX_UNSENT = 64 * 1024 * 1024;

/** A message names the process that it is for; the channel of that process carries it. */
const receiverOf = (message: object): string | undefined =>
  'to' in message && typeof message.to === 'string' ? message.to : undefined;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const channelOf = (everyone: PeerChannel, id: string): string => `${everyone}:${id}`;

/**
 * Returns the other processes that use the same state store, as the MCP endpoint or the recorder of events reaches them. Messages travel through the channels of the
 * store, encrypted like its values. They are lost while the store is away. The end of the
 * store ends the connection.
 */
export const replicaPeers = (store: StateStore, everyone: PeerChannel = 'mcp-peers'): Peers => {
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
  for (const channel of [everyone, channelOf(everyone, id)]) store.subscribe(channel, receive);
  return {
    id,
    send: (message) => {
      const to = receiverOf(message);
      const text = JSON.stringify(message);
      if (unsent + text.length > MAX_UNSENT) return;
      const channel = to === undefined ? everyone : channelOf(everyone, to);
      for (const part of partsOf(text)) void publish(channel, part);
    },
    onMessage: (handler) => {
      handlers.add(handler);
      return () => {
        handlers.delete(handler);
      };
    },
  };
};
