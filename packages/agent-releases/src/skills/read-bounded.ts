/** Returns the body of a response as text; undefined when it exceeds the maximum size. */
export const readBounded = async (
  response: Response,
  maxBytes: number,
): Promise<string | undefined> => {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
