import { request, type Dispatcher } from 'undici';
import { BOTH, until } from './wire-client.ts';

/** One event of a stream as it came. */
export interface ReadEvent {
  readonly id: string | undefined;
  // Wire tests read messages of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly message: any;
}

/** A stream of events that is being read. */
export interface EventReader {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly events: readonly ReadEvent[];
  /** The messages so far, without events that carry none. */
  readonly messages: () => readonly ReadEvent['message'][];
  /** Waits for this number of messages. */
  readonly atLeast: (count: number) => Promise<readonly ReadEvent['message'][]>;
  readonly lastId: () => string | undefined;
  readonly hasEnded: () => boolean;
  readonly ended: () => Promise<void>;
  /** Cuts the connection. */
  readonly cut: () => void;
  /** Reads no further, and goes on. */
  readonly pause: () => void;
  readonly resume: () => void;
}

const eventOf = (block: string): ReadEvent | undefined => {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const data = field('data');
  // The event `endpoint` of legacy SSE carries a path.
  if (data === undefined || field('event') === 'endpoint') return undefined;
  return { id: field('id'), message: data === '' ? undefined : (JSON.parse(data) as unknown) };
};

/** Opens a stream by `GET`, or by `POST` when there is a body. */
export const readEvents = async (
  url: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Promise<EventReader> => {
  const { body, headers } = options;
  const answer = await request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const events: ReadEvent[] = [];
  let hasEnded = false;
  let rest = '';
  answer.body
    .on('data', (chunk: Buffer) => {
      const blocks = (rest + chunk.toString()).split('\n\n');
      rest = blocks.pop() ?? '';
      events.push(...blocks.map(eventOf).filter((event) => event !== undefined));
    })
    .on('error', () => undefined)
    .on('close', () => {
      hasEnded = true;
    });
  const messages = (): readonly unknown[] =>
    events.flatMap(({ message }) => (message === undefined ? [] : [message as unknown]));
  return {
    status: answer.statusCode,
    headers: answer.headers,
    events,
    messages,
    atLeast: async (count) => {
      await until(() => messages().length >= count);
      return messages();
    },
    lastId: () => events.findLast(({ id }) => id !== undefined)?.id,
    hasEnded: () => hasEnded,
    ended: () => until(() => hasEnded),
    cut: () => void answer.body.destroy(),
    pause: () => void answer.body.pause(),
    resume: () => void answer.body.resume(),
  };
};
