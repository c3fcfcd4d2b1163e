const MAX_REASON_CHARS = 300;
/** Beyond it nothing of a text is read. It is more than a `Bearer` token or a key file has, so that no value is cut before it is found. */
const MAX_READ_CHARS = 64 * 1024;
/** Values this long are taken out wherever they stand. */
const MIN_ANYWHERE_CHARS = 6;
/** Shorter values (`1`, `on`) are no secrets and stand in every second line. */
const MIN_SECRET_CHARS = 3;
const REDACTED = '[redacted]';
const WORD = /[\p{L}\p{N}_]/u;
const CREDENTIALS = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
const NAMED_SECRET =
  /\b((?:api[_-]?key|access[_-]?token|token|password|secret)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi;
const URL_USERINFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;
const URL_QUERY = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?#]+)[?#]\S*/gi;
/** What is this long and looks drawn by lot is a key or a token: hex, or letters of both cases among digits. */
const LONG_RUN = /[\w+-]{41,}={0,2}/g;
const RANDOM_LOOKING = /^(?:[\da-f]+|[\dA-F]+|(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).*)$/;
/** The folders of an absolute path; the path of a URL follows its host, and is none. */
const FOLDERS = /(?<![\w:/.\]-])(?:\/[\w.@~+-]+)+\/(?=[\w.@~+-])/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;

/** Where a short value stands as a word: an end of it that is a letter or digit has none beside it. */
const asWord = (value: string): RegExp => {
  const before = WORD.test(value.slice(0, 1)) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = WORD.test(value.slice(-1)) ? '(?![\\p{L}\\p{N}_])' : '';
  return new RegExp(before + value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + after, 'gu');
};

const withoutKeys = (text: string): string =>
  text.replace(LONG_RUN, (run) => (RANDOM_LOOKING.test(run.replace(/=+$/, '')) ? REDACTED : run));

/** The longest value first, since one may be a part of another. */
const withoutValues = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .toSorted((a, b) => b.length - a.length)
    .reduce(
      (line, secret) =>
        line.replaceAll(secret.length < MIN_ANYWHERE_CHARS ? asWord(secret) : secret, REDACTED),
      text,
    );

/**
 * One printable line of at most 300 characters with credentials taken out: the given values, and whatever looks like a credential.
 * Values of 6 characters and more go wherever they stand; values of 3 to 5 characters go where they stand as a word, so that
 * `dev` leaves `device` alone; values of 1 or 2 characters stay.
 *
 * @param secrets header and `env` values of the server in question
 */
export const sanitisedLine = (text: string, secrets: readonly string[] = []): string => {
  const read = withoutValues(text.slice(0, MAX_READ_CHARS), secrets).slice(0, MAX_REASON_CHARS * 8);
  const line = withoutKeys(read)
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(NAMED_SECRET, '$1[redacted]')
    .replace(URL_USERINFO, '$1')
    .replace(URL_QUERY, '$1')
    .replace(CONTROLS, ' ')
    .trim();
  return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS - 3)}...` : line;
};

/** The line with the folders of absolute paths left out, `/srv/team/server.js` as `[path]/server.js`: a status travels far. */
export const withoutFolders = (line: string): string => line.replace(FOLDERS, '[path]/');

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // A name with several addresses: what went wrong is said for each of them, and not of the whole.
  return error instanceof AggregateError && error.message === ''
    ? error.errors.map(messageOf).join(', ')
    : error.message;
};

/** The messages of an error and of what caused it, outermost first, without repeats. */
export const reasonOf = (error: unknown): string => {
  const parts: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth += 1) {
    const message = messageOf(current);
    if (message !== '' && !parts.some((part) => part.includes(message))) parts.push(message);
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join(': ') || 'unknown error';
};
