const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/**
 * Undoes the encoding of a header that repeats a text which cannot stand there as it is.
 * MCP 2026-07-28, Streamable HTTP.
 *
 * @returns `undefined` when the encoding is malformed
 */
export const decodedHeader = (value: string): string | undefined => {
  if (!(value.startsWith('=?base64?') && value.endsWith('?='))) return value;
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
};
