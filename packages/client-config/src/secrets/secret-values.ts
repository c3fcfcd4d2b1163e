import { listPlaceholders } from '@gateway/crd-schemas';

/** Words in the names of variables, headers, options and parameters whose values are secrets. */
const SECRET_NAME =
  /token(?!iz)|secret|passw(?:or)?d|passphrase|pwd|api[-_]?key|credential|auth|cookie|session|bearer|private|signature|dsn|connection[-_]?string|(?:^|[-_.])(?:key|pat|pass|sid)$/iu;

/** Endings of names whose values describe a secret, for example its place: `TOKEN_URL`, `auth-type`. */
const DESCRIPTION =
  /[-_.](?:url|uri|endpoint|host|port|type|mode|method|scheme|file|path|dir|timeout|ttl|limit|size|count|enabled|issuer|audience|scopes?|domain|region|algorithm|version)$/iu;

/** First words of switches: `--no-auth`. */
const SWITCH = /^(?:no|use|allow|enable|disable|require|skip)[-_.]/iu;

const LETTERS_OF_WORDS = /(?<=[a-z0-9])(?=[A-Z])/gu;

const isSecretName = (written: string): boolean => {
  const name = written.replaceAll(LETTERS_OF_WORDS, '_');
  return SECRET_NAME.test(name) && !DESCRIPTION.test(name) && !SWITCH.test(name);
};

/** Values that are no secrets, whatever their names are. */
const PLAIN_VALUE = /^(?:|true|false|yes|no|on|off|none|null|\d{1,6})$/iu;

/** How well-known providers begin their tokens. */
const KNOWN_TOKEN =
  /^(?:sk-|sk_|pk_live|rk_live|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|eyJ[A-Za-z0-9_-]{8}|npm_|pypi-|hf_|dop_v1_|shpat_|SG\.|lin_api_|ntn_|secret_|-----BEGIN )/u;

const CREDENTIALS = /^(?:Bearer|Basic|Token)\s+\S/iu;
const USER_IN_URL = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s@:]*:[^/\s@]+@/iu;
const RANDOM_WORD = /^(?=[^0-9]*[0-9])(?=[^a-zA-Z]*[a-zA-Z])[A-Za-z0-9_]{32,}$/u;
/** No absolute path. */
const BASE64 =
  /^(?!\/)(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9+/_-]{40,}={0,2}$/u;

/** Bits per character. Paths and sentences of 40 characters and more have about 4, random base64 about 5. */
const MIN_ENTROPY = 4.5;
const MAX_MEASURED_CHARS = 256;

const computeEntropy = (text: string): number => {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
};

const isRandom = (value: string): boolean =>
  RANDOM_WORD.test(value) ||
  (BASE64.test(value) && computeEntropy(value.slice(0, MAX_MEASURED_CHARS)) > MIN_ENTROPY);

/** Returns whether a whole text looks like a secret, whatever a URL in it contains. */
const isSecretText = (name: string, text: string): boolean =>
  !PLAIN_VALUE.test(text) &&
  (isSecretName(name) ||
    KNOWN_TOKEN.test(text) ||
    CREDENTIALS.test(text) ||
    USER_IN_URL.test(text) ||
    isRandom(text));

/** Takes the place of a secret in output. Written back, it stands for the value that is stored. @spec §2.6 */
export const SECRET_MASK = '***';

/** Returns the text that takes the place of a secret. The name is that of its option, header or parameter. */
export type ReplaceSecret = (name: string, value: string) => string;

/** Returns whether a text has a placeholder of a variable or a file. Then its author has taken the secret out of it. */
export const hasReference = (text: string): boolean => listPlaceholders(text).length > 0;

/** The name of a random part of a path. */
export const URL_PATH = 'url-path';

const URL_START = /^https?:\/\//iu;
const PARAMETER = /([?&])([^=&#]{1,100})=([^&#]+)/gu;
const PASSWORD = /^([a-z]+:\/\/[^/@:]*:)([^/@]+)(?=@)/iu;
const SEGMENT = /(?<=\/)(?=[A-Za-z_-]*[0-9])(?=[0-9_-]*[A-Za-z])[A-Za-z0-9_-]{24,}(?=[/?#]|$)/gu;

/** Returns a URL with its secrets replaced: a password, parameters, and random parts of the path. */
export const replaceUrlSecrets = (url: string, replace: ReplaceSecret): string => {
  if (hasReference(url)) return url;
  const end = url.search(/[?#]/u);
  const path = end === -1 ? url : url.slice(0, end);
  const rest = end === -1 ? '' : url.slice(end);
  return (
    path
      .replace(SEGMENT, (text) => replace(URL_PATH, text))
      .replace(
        PASSWORD,
        (_all, before: string, password: string) => before + replace('url-password', password),
      ) +
    rest.replaceAll(PARAMETER, (all, mark: string, name: string, value: string) =>
      isSecretText(name, value) ? `${mark}${name}=${replace(name, value)}` : all,
    )
  );
};

/** Returns whether a value of a variable, header, option or parameter looks like a secret. May report false positives. */
export const isSecretLike = (name: string, value: string): boolean =>
  isSecretText(name, value) ||
  (URL_START.test(value) && replaceUrlSecrets(value, () => '') !== value);

/** `--token=value` and `TOKEN=value`. */
const ASSIGNMENT = /^(-{0,2}[A-Za-z_][\w.-]{0,80}=)(.*)$/su;
/** `-eTOKEN=value` is an assignment too; `--env=TOKEN=value` has one in its value. */
const NESTED = /^(--?[A-Za-z][\w.-]{0,80}=)([A-Za-z_][\w.-]{0,80}=)(.*)$/su;
const OPTION = /^--?[A-Za-z][\w.-]{0,80}$/u;
/** A token can begin with one hyphen. */
const IS_OPTION = /^(?:--|-.?$|-.=)/su;
/** `Name: value` and, after the option of a header, `Name:value`. */
const HEADER = /^((?:--header=)?([A-Za-z][\w-]{0,80}):\s*)(.+)$/su;
const IS_HEADER_OPTION = /^(?:--header|-H)$/u;
const URL_IN_TEXT = /https?:\/\/[^\s"'<>]+/giu;

const toOptionName = (text: string): string => text.replaceAll(/^-+|=$/gu, '');

const replaceHeader = (
  argument: string,
  before: string,
  replace: ReplaceSecret,
): string | undefined => {
  const [, start = '', name = '', value = ''] = HEADER.exec(argument) ?? [];
  const isHeader =
    IS_HEADER_OPTION.test(before) || start.startsWith('--header=') || /\s$/u.test(start);
  return name !== '' && isHeader && isSecretLike(name, value)
    ? start + replace(name, value)
    : undefined;
};

const replaceAssignment = (argument: string, replace: ReplaceSecret): string | undefined => {
  const [, own = '', value = ''] = ASSIGNMENT.exec(argument) ?? [];
  if (own !== '' && isSecretLike(toOptionName(own), value))
    return own + replace(toOptionName(own), value);
  const [, option = '', name = '', inner = ''] = NESTED.exec(argument) ?? [];
  return name !== '' && isSecretLike(toOptionName(name), inner)
    ? option + name + replace(toOptionName(name), inner)
    : undefined;
};

/** Returns arguments with their secrets replaced: values of options, variables and headers, and those in URLs. */
export const replaceArgumentSecrets = (
  args: readonly string[],
  replace: ReplaceSecret,
): readonly string[] =>
  args.map((argument, index) => {
    if (hasReference(argument)) return argument;
    const before = args[index - 1] ?? '';
    const assigned =
      replaceHeader(argument, before, replace) ?? replaceAssignment(argument, replace);
    if (assigned !== undefined) return assigned;
    const option = OPTION.test(before) ? toOptionName(before) : '';
    const isWhole = isSecretName(option) || !URL_START.test(argument);
    return isWhole && !IS_OPTION.test(argument) && isSecretText(option, argument)
      ? replace(option === '' ? `arg-${String(index + 1)}` : option, argument)
      : argument.replaceAll(URL_IN_TEXT, (url) => replaceUrlSecrets(url, replace));
  });
