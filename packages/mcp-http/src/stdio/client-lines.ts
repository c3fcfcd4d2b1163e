import { Transform, type Readable } from 'node:stream';
import { dropNullMembers } from '../protocol/null-members.ts';

/** Bytes of a line that is checked; a longer line passes unchanged. */
const MAX_LINE_BYTES = 1024 * 1024;

const LINE_FEED = 0x0a;

const normalizeLine = (line: string): string => {
  if (!line.includes('null')) return line;
  try {
    const message: unknown = JSON.parse(line);
    return dropNullMembers(message) ? JSON.stringify(message) : line;
  } catch {
    return line;
  }
};

const normalizeLines = (bytes: Buffer): Buffer =>
  bytes.includes('null')
    ? Buffer.from(bytes.toString().split('\n').map(normalizeLine).join('\n'))
    : bytes;

/** Lines of a client for the transport of the SDK, which refuses `null` where it requires a member to be absent. */
export interface ClientLines {
  readonly input: Readable;
  /** Leaves the stream of the client as it is. */
  readonly close: () => void;
}

/** Reads the lines of a client without the members that are `null` and count as absent; all other lines pass unchanged. */
export const openClientLines = (source: Readable): ClientLines => {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const input = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      if (end > 0) {
        input.push(normalizeLines(Buffer.concat([...pending, chunk.subarray(0, end)])));
        [pending, pendingBytes] = [[], 0];
      }
      const rest = chunk.subarray(end);
      pending.push(rest);
      pendingBytes += rest.length;
      if (pendingBytes > MAX_LINE_BYTES) {
        input.push(Buffer.concat(pending));
        [pending, pendingBytes] = [[], 0];
      }
      done();
    },
    flush: (done) => done(null, Buffer.concat(pending)),
  });
  const end = (): void => void input.end();
  const fail = (error: Error): void => void input.destroy(error);
  source.on('close', end).on('error', fail).pipe(input);
  if (source.readableEnded || source.destroyed) input.end();
  return {
    input,
    close: () => {
      source.off('close', end).off('error', fail).unpipe(input);
      source.pause();
    },
  };
};
