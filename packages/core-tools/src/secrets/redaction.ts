import { isJsonObject } from '@gateway/call-contract';

/** The text that replaces a secret. */
export const REDACTED = '***';

/** Maps whose values are all secrets: environment variables and request headers. @spec §2.6 */
const SECRET_MAPS: ReadonlySet<string> = new Set(['env', 'headers']);

const SECRET_KEY =
  /(?:password|passphrase|secret|token|credentials?|api[_-]?key|(?:encryption|private|signing)[_-]?key)$/i;

/** Matches up to the last `@`, as URL parsers do, because a password may contain one. */
const URL_USERINFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi;
const URL_SECRET_PARAMETER =
  /([?&#][^\s=&#]{0,100}(?:token|secret|password|key|sig|signature)=)[^\s&#]+/gi;

const redactedText = (text: string): string =>
  text.replace(URL_USERINFO, `$1${REDACTED}@`).replace(URL_SECRET_PARAMETER, `$1${REDACTED}`);

/** Parts of a name whose value is a secret: `--api-key`, `--accessToken`, `GITHUB_TOKEN=`, but not `--keyboard`. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'token',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'key',
  'apikey',
  'authorization',
  'cookie',
]);

const FLAG = /^--?([a-z][\w.-]*)(=[^]+)?$/i;
/** `NAME=value` and `Name: value`, as variables and headers are passed to a program, after a flag or alone. */
const SETTING = /^((?:--?[a-z][\w.-]*=)?([a-z_][\w.-]*)(?:=|:[ \t]*))[^]+$/i;
const WORD_BOUNDARY = /[-_.]|(?<=[a-z0-9])(?=[A-Z])/;

const namesSecret = (name: string): boolean =>
  name.split(WORD_BOUNDARY).some((word) => SECRET_WORDS.has(word.toLowerCase()));

/** Returns whether an argument is a flag with a secret value, or one whose value is the next argument. */
const secretIn = (arg: unknown): 'flag=value' | 'next argument' | undefined => {
  const [, name, value] = (typeof arg === 'string' && FLAG.exec(arg)) || [];
  if (name === undefined || !namesSecret(name)) return undefined;
  return value === undefined ? 'next argument' : 'flag=value';
};

const redactedSetting = (arg: unknown): string | undefined => {
  const [, head, name] = (typeof arg === 'string' && SETTING.exec(arg)) || [];
  return head !== undefined && name !== undefined && namesSecret(name)
    ? `${head}${REDACTED}`
    : undefined;
};

const redactedArgument = (arg: unknown, index: number, args: readonly unknown[]): unknown => {
  if (secretIn(args[index - 1]) === 'next argument') return REDACTED;
  if (secretIn(arg) !== 'flag=value') return redactedSetting(arg) ?? withoutSecrets(arg);
  const flag = String(arg);
  return `${flag.slice(0, flag.indexOf('='))}=${REDACTED}`;
};

const redactedMap = (map: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(map).map((key) => [key, REDACTED]));

const redactedEntry = (key: string, value: unknown): unknown => {
  if (SECRET_MAPS.has(key) && isJsonObject(value)) return redactedMap(value);
  if (key === 'args' && Array.isArray(value)) return value.map(redactedArgument);
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return SECRET_KEY.test(key) && isPlain && value !== '' ? REDACTED : withoutSecrets(value);
};

/**
 * Returns a copy of plain data without secrets: the values of `env` and `headers`, texts and numbers under a key that names a secret,
 * values of flags, variables and headers in `args` that name one, and user information and keys in URLs. References to secrets stay.
 */
export const withoutSecrets = (value: unknown): unknown => {
  if (typeof value === 'string') return redactedText(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, redactedEntry(key, entry)]),
  );
};
