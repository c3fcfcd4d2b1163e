/** The complete body, or the reason why it was refused. Rejects when the connection fails or the signal aborts. */
export type BodyText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-text' };

const utf8 = (chunks: readonly Uint8Array[]): BodyText => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const parts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
    return { kind: 'text', text: parts.join('') + decoder.decode() };
  } catch {
    return { kind: 'not-text' };
  }
};

/**
 * Reads the body of a response as UTF-8, no further than a bound.
 * @param maxBytes what is longer is given up
 */
export const bodyText = async (response: Response, maxBytes: number): Promise<BodyText> => {
  if (response.body === null) return { kind: 'text', text: '' };
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return utf8(chunks);
    bytes += value.length;
    if (bytes > maxBytes) {
      // The remaining bytes are not used, so a failure to cancel the stream is ignored.
      reader.cancel().catch(() => undefined);
      return { kind: 'too-large' };
    }
    chunks.push(value);
  }
};
