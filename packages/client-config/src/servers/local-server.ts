import { isJsonObject, isTextList, type ConfigObject } from '../json.ts';
import type { ServerNote, ServerProblem } from './import-problem.ts';
import { isSecretLike } from './secret-values.ts';

export interface SecretFile {
  /** Relative to the configuration directory, with `/`. */
  readonly path: string;
  readonly value: string;
}

const MAX_KEY_CHARS = 200;

/** Returns a text that can be a key of a Secret, as similar to a name as possible. */
const toSecretKey = (name: string): string => {
  const key = name.replaceAll(/[^-._a-zA-Z0-9]+/gu, '_').slice(0, MAX_KEY_CHARS);
  return /^\.*$/u.test(key) ? `value${key}` : key;
};

export class SecretFiles {
  readonly #server: string;
  readonly #values = new Map<string, string>();

  constructor(server: string) {
    this.#server = server;
  }

  add(name: string, value: string): { readonly name: string; readonly key: string } {
    const wanted = toSecretKey(name);
    let key = wanted;
    for (let count = 2; this.#values.has(key) && this.#values.get(key) !== value; count += 1)
      key = `${wanted}-${String(count)}`;
    this.#values.set(key, value);
    return { name: this.#server, key };
  }

  /** Adds a value and returns the placeholder that stands for it. */
  placeholder(name: string, value: string): string {
    return `\${file:${toPath(this.add(name, value))}}`;
  }

  all(): readonly SecretFile[] {
    return [...this.#values].map(([key, value]) => ({
      path: toPath({ name: this.#server, key }),
      value,
    }));
  }
}

const toPath = ({ name, key }: { readonly name: string; readonly key: string }): string =>
  `secrets/${name}/${key}`;

/** The first `$` of `$${` escapes the placeholder. */
const BRACED = /\$?\$\{([^{}]{0,200})\}/gu;
const BRACED_OR_DOLLAR = /\$?\$\{([^{}]{0,200})\}|\$([A-Za-z_][A-Za-z0-9_]*)/gu;
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)$/u;
/** A file of a folder, not of the folders below it. */
const FILE_NAME = /^(?!\.{1,2}$)[-._a-zA-Z0-9]+$/u;
/** Variables that only an editor knows. */
const OF_EDITORS = /^(?:workspaceFolder|userHome|pathSeparator|cwd$|execPath$|file[A-Z])/u;

const findPlaceholder = (text: string): string | undefined => /\$\{[^{}]{1,200}\}/u.exec(text)?.[0];

/** Returns the problem of a text with a placeholder that its client would replace. */
export const validatePlaceholders = (field: string, text: unknown): readonly ServerProblem[] => {
  const placeholder = typeof text === 'string' ? findPlaceholder(text) : undefined;
  return placeholder === undefined ? [] : [{ code: 'placeholder', field, placeholder }];
};

const hasPlaceholder = (text: string): boolean => findPlaceholder(text) !== undefined;

type Replacement =
  | { readonly text: string; readonly note?: ServerNote }
  | { readonly problem: 'placeholder' | 'file' };

const toReplacement = (inner: string, server: string): Replacement => {
  const variable = OF_EDITORS.test(inner) ? undefined : VARIABLE.exec(inner)?.[1];
  if (variable !== undefined)
    return { text: `\${env:${variable}}`, note: { code: 'variable', variable } };
  const [, kind, rest = ''] = /^(input|file):(.+)$/u.exec(inner) ?? [];
  if (kind === undefined) return { problem: 'placeholder' };
  if (kind === 'input') {
    const path = toPath({ name: server, key: toSecretKey(rest) });
    return { text: `\${file:${path}}`, note: { code: 'input', input: rest, path } };
  }
  const folder = toPath({ name: server, key: '' });
  return rest.startsWith(folder) && FILE_NAME.test(rest.slice(folder.length))
    ? { text: `\${${inner}}` }
    : { problem: 'file' };
};

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
  return name !== '' && isHeader && isSecretLike(name, value)
    ? start + files.placeholder(name, value)
    : undefined;
};

const withAssignedSecret = (argument: string, files: SecretFiles): string | undefined => {
  const [, name = '', value = ''] = ASSIGNMENT.exec(argument) ?? [];
  if (name === '' || !isSecretLike(name.slice(0, -1), value)) return undefined;
  return name + files.placeholder(name.replaceAll(/^-+|=$/gu, ''), value);
};

/** Returns arguments whose secrets are placeholders of files. */
const replaceArgumentSecrets = (args: readonly string[], files: SecretFiles): readonly string[] =>
  args.map((argument, index) => {
    if (hasPlaceholder(argument)) return argument;
    const before = args[index - 1] ?? '';
    const assigned =
      withSecretHeader(argument, before, files) ?? withAssignedSecret(argument, files);
    if (assigned !== undefined) return assigned;
    const option = OPTION.test(before) ? before.replace(/^-+/u, '') : '';
    return !argument.startsWith('-') && isSecretLike(option, argument)
      ? files.placeholder(option === '' ? `arg-${String(index + 1)}` : option, argument)
      : argument;
  });

const PARAMETER = /([?&])([^=&#]{1,100})=([^&#]+)/gu;
const PASSWORD = /^([a-z]+:\/\/[^/@:]*:)([^/@]+)(?=@)/iu;
const SEGMENT = /(?<=\/)[A-Za-z0-9_-]{24,}(?=[/?#]|$)/gu;

/** Path segments such as UUIDs and random texts, not words. */
const isRandomSegment = (text: string): boolean => /\d/u.test(text) && /[A-Za-z]/u.test(text);

/** Returns a URL whose secrets are placeholders of files: a password, parameters, and random parts of the path. */
const replaceUrlSecrets = (url: string, files: SecretFiles): string => {
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
      isSecretLike(name, value) ? `${mark}${name}=${files.placeholder(name, value)}` : all,
    )
  );
};

export interface LocalServer {
  /** `spec` of the `MCPServer`; it contains no text that looks like a secret. */
  readonly spec: ConfigObject;
  readonly secrets: readonly SecretFile[];
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

/** `env` or `headers`, with its secrets in files. */
const mapFields = (
  key: 'env' | 'headers',
  map: unknown,
  files: SecretFiles,
  translate: (field: string, text: string) => string,
): ConfigObject => {
  if (!isJsonObject(map)) return map === undefined ? {} : { [key]: map };
  const plain: (readonly [string, string])[] = [];
  const references: ConfigObject[] = [];
  for (const [name, value] of Object.entries(map)) {
    if (typeof value !== 'string') continue;
    const text = translate(`${key}.${name}`, value);
    if (hasPlaceholder(text) || !isSecretLike(name, text)) plain.push([name, text]);
    else references.push({ name, secretKeyRef: files.add(name, text) });
  }
  return {
    ...(plain.length > 0 && { [key]: Object.fromEntries(plain) }),
    ...(references.length > 0 && { [`${key}From`]: references }),
  };
};

/** Returns whether values of this machine would be sent to an address that the text decides. */
const canSendValues = ({ url, headers }: ConfigObject): boolean =>
  typeof url === 'string' &&
  [url, ...(isJsonObject(headers) ? Object.values(headers) : [])].some(
    (text) => typeof text === 'string' && /\$(?:\{|[A-Za-z_])/u.test(text),
  );

/**
 * Returns a server as files of a configuration directory. Placeholders of the client become those of the gateway in file mode: `${NAME}` and
 * `${env:NAME}` become `${env:NAME}`, `${input:ID}` becomes the file of a Secret, `${file:PATH}` stays. Others are problems, and so are files
 * outside `secrets/<server>/`: a file of a client must not decide which files of this machine are sent. Values that look like secrets become
 * files of `secrets/`, named by `envFrom`, `headersFrom` or `${file:...}`.
 *
 * @param server its name, and the arguments of `core_mcpserver_create`
 * @param options.hasDollarNames whether the client replaces `$NAME` too, as Gemini CLI does
 * @param options.isTranslated whether the texts are written for the gateway, so that placeholders stay as they are
 */
export const toLocalServer = (
  { name, definition }: { readonly name: string; readonly definition: ConfigObject },
  {
    hasDollarNames = false,
    isTranslated = false,
  }: { readonly hasDollarNames?: boolean; readonly isTranslated?: boolean } = {},
): LocalServer => {
  const files = new SecretFiles(name);
  const { env, headers, args, url, ...rest } = definition;
  // The gateway replaces no placeholders in these fields.
  const problems = ['command', 'cwd'].flatMap((field) =>
    validatePlaceholders(field, definition[field]),
  );
  const notes: ServerNote[] = [];
  const translate = (field: string, text: string): string => {
    if (isTranslated) return text;
    return text.replaceAll(
      hasDollarNames ? BRACED_OR_DOLLAR : BRACED,
      (placeholder: string, inner: string | undefined, dollar?: unknown) => {
        if (placeholder.startsWith('$$')) return placeholder;
        const replacement = toReplacement(
          inner ?? (typeof dollar === 'string' ? dollar : ''),
          name,
        );
        if ('problem' in replacement) {
          problems.push({ code: replacement.problem, field, placeholder });
          return placeholder;
        }
        if (replacement.note !== undefined) notes.push(replacement.note);
        return replacement.text;
      },
    );
  };
  const texts = isTextList(args)
    ? args.map((text, at) => translate(`args[${String(at)}]`, text))
    : undefined;
  const address = typeof url === 'string' ? translate('url', url) : undefined;
  const isHeld = definition['autoStart'] === true && canSendValues(definition);
  const spec = {
    ...rest,
    ...(isHeld && { autoStart: false }),
    ...(texts !== undefined && { args: replaceArgumentSecrets(texts, files) }),
    ...(address !== undefined && { url: replaceUrlSecrets(address, files) }),
    ...mapFields('env', env, files, translate),
    ...mapFields('headers', headers, files, translate),
  };
  if (isHeld) notes.push({ code: 'not-started' });
  return { spec, secrets: files.all(), problems, notes };
};
