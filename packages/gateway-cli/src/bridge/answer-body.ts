import { EventStream } from '@gateway/downstream';
import type { BridgeFailure } from './bridge-failure.ts';
import { lostBy, type Answer } from './endpoint.ts';

/** Maximum size of one message of the gateway. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Receives the events of a stream. */
export interface StreamReader {
  /** Receives one message. The stream is read on when the promise resolves. */
  readonly onMessage: (text: string) => Promise<void> | void;
  readonly onId?: (id: string) => void;
  readonly onRetry?: (ms: number) => void;
}

/** The text of a body, or why there is none. */
export type BodyText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly failure: BridgeFailure };

const TOO_LARGE: BridgeFailure = { code: 'too-large' };

/** Discards a body, so that its connection can be used again. */
export const discard = ({ body }: Pick<Answer, 'body'>): void => {
  body.on('error', () => undefined).resume();
};

/** Reads a whole body; never rejects. */
export const readBody = async ({ body }: Pick<Answer, 'body'>): Promise<BodyText> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_MESSAGE_BYTES) return { ok: false, failure: TOO_LARGE };
      chunks.push(chunk);
    }
  } catch (error) {
    return { ok: false, failure: lostBy(error) };
  }
  return { ok: true, text: Buffer.concat(chunks).toString('utf8') };
};

/** Reads a stream to its end; never rejects. Returns why it ended early, `undefined` for its own end. */
export const readStream = async (
  { body }: Pick<Answer, 'body'>,
  { onMessage, onId, onRetry }: StreamReader,
): Promise<BridgeFailure | undefined> => {
  let messages: string[] = [];
  const events = new EventStream(MAX_MESSAGE_BYTES, {
    onEvent: ({ data }) => {
      if (data.length > 0) messages.push(data.toString('utf8'));
    },
    onId: (id) => onId?.(id),
    onRetry: (ms) => onRetry?.(ms),
  });
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const isWithin = events.push(chunk);
      const arrived = messages;
      messages = [];
      for (const message of arrived) await onMessage(message);
      if (!isWithin) return TOO_LARGE;
    }
    return undefined;
  } catch (error) {
    return lostBy(error);
  }
};
