const MAX_REASON_CHARS = 300;
const MIN_SECRET_CHARS = 6;
const CREDENTIALS = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
const NAMED_SECRET =
  /\b((?:api[_-]?key|access[_-]?token|token|password|secret)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi;
const URL_USERINFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;
const URL_QUERY = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?#]+)[?#]\S*/gi;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;

/**
 * One printable line of at most 300 characters with credentials taken out: the given values wherever they stand,
 * and whatever looks like one. Values under 6 characters stay, since they would blank ordinary words.
 *
 * @param secrets header and `env` values of the server in question
 */
export const sanitisedLine = (text: string, secrets: readonly string[] = []): string => {
  let line = text.slice(0, MAX_REASON_CHARS * 8);
  for (const secret of secrets) {
    if (secret.length >= MIN_SECRET_CHARS) line = line.replaceAll(secret, '[redacted]');
  }
  line = line
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(NAMED_SECRET, '$1[redacted]')
    .replace(URL_USERINFO, '$1')
    .replace(URL_QUERY, '$1')
    .replace(CONTROLS, ' ')
    .trim();
  return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS - 3)}...` : line;
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

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
