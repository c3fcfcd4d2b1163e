const NOT_ASCII = /[^\0-\u007f]/;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the bytes of a text in UTF-8; nothing for a text whose characters are all one byte long, which can be worked on as
 * it is.
 */
export const encodeNonAscii = (text: string): Uint8Array | undefined =>
  NOT_ASCII.test(text) ? encoder.encode(text) : undefined;

/** Decodes UTF-8; returns undefined for invalid bytes. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Returns the bytes of a text in UTF-8. */
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);

/** Bytes of a text in UTF-8. */
export const countUtf8Bytes = (text: string): number => {
  if (!NOT_ASCII.test(text)) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each half of a surrogate pair counts two of its four bytes.
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff)) bytes += 2;
    else bytes += 3;
  }
  return bytes;
};
