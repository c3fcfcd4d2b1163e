import type { LinkPort } from './link-port.ts';

/** Divides one message channel between two processes into independent topics. */
export interface Channel<Topic extends string> {
  /** Returns this end of a topic. Messages of a topic that has no receiver are ignored. */
  port(topic: Topic): LinkPort;
}

interface Topics {
  readonly receivers: Map<unknown, (message: unknown) => void>;
  readonly closeHandlers: Set<() => void>;
  isOpen: boolean;
}

const ignoreSent = (): void => undefined;

/** Creates a channel over a process port, which must have no other receiver. */
export const createChannel = <Topic extends string>(process: LinkPort): Channel<Topic> => {
  const topics: Topics = { receivers: new Map(), closeHandlers: new Set(), isOpen: true };
  process.onMessage((message) => {
    if (!Array.isArray(message)) return;
    const [topic, body] = message as readonly unknown[];
    topics.receivers.get(topic)?.(body);
  });
  process.onClose(() => {
    if (!topics.isOpen) return;
    topics.isOpen = false;
    for (const handler of topics.closeHandlers) handler();
  });
  return {
    port: (topic) => ({
      send: (message, sent = ignoreSent) => {
        if (topics.isOpen) process.send([topic, message], sent);
        else sent();
      },
      onMessage: (handler) => void topics.receivers.set(topic, handler),
      onClose: (handler) => void topics.closeHandlers.add(handler),
    }),
  };
};
