const MAX_SHOWN_CHARS = 200;

/** What somebody else wrote, at a length that fits a message. */
export const shownText = (text: string): string =>
  text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text;
