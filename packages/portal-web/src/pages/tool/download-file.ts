const MAX_NAME_CHARS = 100;

/** Returns a name for a file from outside: the last part of an address, without characters that systems treat specially. */
export const fileNameOf = (address: string): string => {
  const last =
    address
      .split(/[?#]/u, 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? '';
  const name = last.replaceAll(/[^\w.-]+/gu, '-').replace(/^[.-]+/u, '');
  return name.slice(-MAX_NAME_CHARS) || 'result';
};

/** Saves bytes or text as a file on the computer of the reader. */
export const downloadFile = (name: string, content: BlobPart): void => {
  // Browsers neither open nor run a file of this type.
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

/** Returns the bytes of base64 text; `undefined` for any other text. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};
