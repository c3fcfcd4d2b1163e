import type { IncomingMessage } from 'node:http';

/** Reads a request header by lower-case name: the values of its lines in order, `undefined` when absent. */
export type HeaderReader = (name: string) => readonly string[] | undefined;

/**
 * Reads headers from the lines as they came.
 * Node joins repeated lines and drops some of them in `headers`, so only `rawHeaders` tells the lines apart.
 */
export const headerReader =
  (request: Pick<IncomingMessage, 'rawHeaders'>): HeaderReader =>
  (name) => {
    const { rawHeaders } = request;
    let values: string[] | undefined;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const line = rawHeaders[at];
      if (line?.length === name.length && line.toLowerCase() === name) {
        (values ??= []).push(rawHeaders[at + 1] ?? '');
      }
    }
    return values;
  };

/** The value of a header that has exactly one line. */
export const singleHeader = (header: HeaderReader, name: string): string | undefined => {
  const values = header(name);
  return values?.length === 1 ? values[0] : undefined;
};
