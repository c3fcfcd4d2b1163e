const MAX_SHOWN_CHARS = 200;

/** Cuts a text of a user to a length that fits a message. */
export const shortenText = (text: string): string =>
  text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text;
