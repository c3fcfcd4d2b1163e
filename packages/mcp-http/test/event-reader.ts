import { request } from 'undici';
import { BOTH, until, type Headers } from './wire-client.ts';

/** One event of a stream as it came. */
interface ReadEvent {
  readonly id: string | undefined;
  // Wire tests read messages of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly message: any;
}

const parseEvent = (block: string): ReadEvent | undefined => {
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:(.*)$`, 'mu').exec(block)?.[1]?.trim();
  const data = field('data');
  // The event `endpoint` of legacy SSE carries a path.
  if (data === undefined || field('event') === 'endpoint') return undefined;
  return { id: field('id'), message: data === '' ? undefined : (JSON.parse(data) as unknown) };
};

/** Opens a stream by `GET`, or by `POST` when there is a body. */
export const readEvents = async (url: string, headers: Headers = {}, body?: unknown) => {
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
      events.push(...blocks.map(parseEvent).filter((event) => event !== undefined));
    })
    .on('error', () => undefined)
    .on('close', () => (hasEnded = true));
  /** The messages so far, without events that carry none. */
  const messages = (): readonly ReadEvent['message'][] =>
    events.flatMap(({ message }) => (message === undefined ? [] : [message as unknown]));
  const lastId = (): string | undefined => events.findLast(({ id }) => id !== undefined)?.id;
  const ended = (): Promise<void> => until(() => hasEnded);
  return {
    status: answer.statusCode,
    events,
    messages,
    lastId,
    ended,
    hasEnded: () => hasEnded,
    /** Waits for this number of messages. */
    atLeast: async (count: number) => {
      await until(() => messages().length >= count);
      return messages();
    },
    /** Waits for the first event, which has an id alone. */
    opened: () => until(() => lastId() !== undefined),
    /** Cuts the connection. Returns the header that resumes the stream. */
    cut: async () => {
      answer.body.destroy();
      await ended();
      return { 'last-event-id': lastId() ?? '' };
    },
  };
};
