const MAX_REASON_CHARS = 300;
/** Maximum number of spaces before the text of a line of a log. */
const MAX_INDENT_CHARS = 40;
const TAB = '    ';
/** More characters than a `Bearer` token or a key file has, so that no value is truncated before it is found. */
const MAX_READ_CHARS = 64 * 1024;
/** Values of at least this length are removed wherever they occur. */
const MIN_ANYWHERE_CHARS = 6;
/** Shorter values (`1`, `on`) are not secrets and occur in many lines. */
const MIN_SECRET_CHARS = 3;
const REDACTED = '[redacted]';
const WORD = /[\p{L}\p{N}_]/u;
const CREDENTIALS = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
const NAMED_SECRET =
  /\b((?:api[_-]?key|access[_-]?token|token|password|secret)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi;
const URL_USERINFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;
const URL_QUERY = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?#]+)[?#]\S*/gi;
/** A run of this length that looks random is a key or a token: hex, or letters of both cases with digits. */
const LONG_RUN = /[\w+-]{41,}={0,2}/g;
const RANDOM_LOOKING = /^(?:[\da-f]+|[\dA-F]+|(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).*)$/;
/** The directories of an absolute path. The path of a URL follows its host and does not match. */
const FOLDERS = /(?<![\w:/.\]-])(?:\/[\w.@~+-]+)+\/(?=[\w.@~+-])/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;

const toWordPattern = (value: string): RegExp => {
  const before = WORD.test(value.slice(0, 1)) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = WORD.test(value.slice(-1)) ? '(?![\\p{L}\\p{N}_])' : '';
  return new RegExp(before + value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + after, 'gu');
};

const withoutKeys = (text: string): string =>
  text.replace(LONG_RUN, (run) => (RANDOM_LOOKING.test(run.replace(/=+$/, '')) ? REDACTED : run));

/** Removes the longest value first, because one may be a part of another. */
const withoutValues = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS && text.includes(secret))
    .toSorted((a, b) => b.length - a.length)
    .reduce(
      (line, secret) =>
        line.replaceAll(
          secret.length < MIN_ANYWHERE_CHARS ? toWordPattern(secret) : secret,
          REDACTED,
        ),
      text,
    );

const limitLine = (line: string): string =>
  line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS - 3)}...` : line;

/** Returns one printable line of at most 300 characters. Secrets of 6 or more characters are removed everywhere, those of 3 to 5 as whole words. */
export const formatSafeLine = (text: string, secrets: readonly string[] = []): string => {
  const read = withoutValues(text.slice(0, MAX_READ_CHARS), secrets).slice(0, MAX_REASON_CHARS * 8);
  const line = withoutKeys(read)
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(NAMED_SECRET, '$1[redacted]')
    .replace(URL_USERINFO, '$1')
    .replace(URL_QUERY, '$1')
    .replace(CONTROLS, ' ')
    .trim();
  return limitLine(line);
};

/** Returns a line like {@link formatSafeLine} with at most 40 spaces of its indentation, on which stack traces depend. */
export const formatIndentedLine = (text: string, secrets: readonly string[]): string => {
  const line = formatSafeLine(text, secrets);
  if (line === '') return '';
  const indentation = (/^[ \t]*/u.exec(text)?.[0] ?? '').replaceAll('\t', TAB);
  return limitLine(indentation.slice(0, MAX_INDENT_CHARS) + line);
};

/** Returns the line without the directories of absolute paths, because a status is widely visible. */
export const withoutFolders = (line: string): string => line.replace(FOLDERS, '[path]/');

/** The text of a schema library: its problems as JSON, with the method when the client of the SDK gives it. */
const SCHEMA_TEXT = /^(?:Invalid result for ([\w/]+): )?(?:\$?ZodError: ?)?(\[\s*\{.*\}\s*\])$/s;

const findWrongMember = (problems: string): string | undefined => {
  try {
    const [first] = JSON.parse(problems) as readonly unknown[];
    const { path } = first as { readonly path?: unknown };
    if (!Array.isArray(path)) return undefined;
    return path.length === 0 ? 'value' : JSON.stringify(path.join('.'));
  } catch {
    return undefined;
  }
};

const rewriteMessage = (message: string): string => {
  const [, method, problems] = SCHEMA_TEXT.exec(message) ?? [];
  const member = problems === undefined ? undefined : findWrongMember(problems);
  if (member === undefined) return message;
  const subject = method === undefined ? 'a message' : `the answer to ${method}`;
  return `${subject} has a missing or wrong ${member}`;
};

const formatMessage = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses has one message per address and none of its own.
  return error instanceof AggregateError && error.message === ''
    ? error.errors.map(formatMessage).join(', ')
    : rewriteMessage(error.message);
};

/** Returns the messages of an error and its causes, outermost first, without repetition. */
export const formatReason = (error: unknown): string => {
  const parts: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth += 1) {
    const message = formatMessage(current);
    if (message !== '' && !parts.some((part) => part.includes(message))) parts.push(message);
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join(': ') || 'unknown error';
};
