import type { IncomingMessage } from 'node:http';

/** The largest request that the peers read, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads the body of a request. @throws {Error} when it is too large */
export const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the body of the request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
