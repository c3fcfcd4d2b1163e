import { hasPlaceholder } from './placeholders.ts';
import { looksSecret } from './secret-values.ts';
import type { SecretFiles } from './secret-files.ts';

/** `--token=value`, `-eTOKEN=value` and `TOKEN=value`. */
const ASSIGNMENT = /^(-{0,2}[A-Za-z][\w.-]{0,80}=)(.*)$/su;
const OPTION = /^--?[A-Za-z][\w.-]{0,80}$/u;

/** `Name: value` and, after the option of a header, `Name:value`. */
const HEADER = /^((?:--header=)?([A-Za-z][\w-]{0,80}):\s*)(.+)$/su;
const IS_HEADER = /^(?:--header|-H)$/u;

const withSecretHeader = (
  argument: string,
  before: string,
  files: SecretFiles,
): string | undefined => {
  const [, start = '', name = '', value = ''] = HEADER.exec(argument) ?? [];
  const isHeader = IS_HEADER.test(before) || start.startsWith('--header=') || /\s$/u.test(start);
  return name !== '' && isHeader && looksSecret(name, value)
    ? start + files.placeholder(name, value)
    : undefined;
};

const withAssignedSecret = (argument: string, files: SecretFiles): string | undefined => {
  const [, name = '', value = ''] = ASSIGNMENT.exec(argument) ?? [];
  if (name === '' || !looksSecret(name.slice(0, -1), value)) return undefined;
  return name + files.placeholder(name.replaceAll(/^-+|=$/gu, ''), value);
};

/** Returns arguments whose secrets are placeholders of files. */
export const argumentsWithoutSecrets = (
  args: readonly string[],
  files: SecretFiles,
): readonly string[] =>
  args.map((argument, index) => {
    if (hasPlaceholder(argument)) return argument;
    const before = args[index - 1] ?? '';
    const assigned =
      withSecretHeader(argument, before, files) ?? withAssignedSecret(argument, files);
    if (assigned !== undefined) return assigned;
    const option = OPTION.test(before) ? before.replace(/^-+/u, '') : '';
    return !argument.startsWith('-') && looksSecret(option, argument)
      ? files.placeholder(option === '' ? `arg-${String(index + 1)}` : option, argument)
      : argument;
  });

const PARAMETER = /([?&])([^=&#]{1,100})=([^&#]+)/gu;
const PASSWORD = /^([a-z]+:\/\/[^/@:]*:)([^/@]+)(?=@)/iu;
const SEGMENT = /(?<=\/)[A-Za-z0-9_-]{24,}(?=[/?#]|$)/gu;

/** Path segments such as UUIDs and random texts, not words. */
const isRandomSegment = (text: string): boolean => /\d/u.test(text) && /[A-Za-z]/u.test(text);

/** Returns a URL whose secrets are placeholders of files: a password, parameters, and random parts of the path. */
export const urlWithoutSecrets = (url: string, files: SecretFiles): string => {
  if (hasPlaceholder(url)) return url;
  const end = url.search(/[?#]/u);
  const path = end === -1 ? url : url.slice(0, end);
  const rest = end === -1 ? '' : url.slice(end);
  return (
    path
      .replace(SEGMENT, (text) =>
        isRandomSegment(text) ? files.placeholder('url-path', text) : text,
      )
      .replace(
        PASSWORD,
        (_all, before: string, password: string) =>
          before + files.placeholder('url-password', password),
      ) +
    rest.replaceAll(PARAMETER, (all, mark: string, name: string, value: string) =>
      looksSecret(name, value) ? `${mark}${name}=${files.placeholder(name, value)}` : all,
    )
  );
};
