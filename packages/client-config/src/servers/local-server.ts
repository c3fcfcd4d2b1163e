import { isJsonObject, isTextList, type ConfigObject } from '../json.ts';
import { formatSecretPath, toSecretKey } from '../secrets/extract-secrets.ts';
import type { ServerNote, ServerProblem } from './import-problem.ts';

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
    const path = formatSecretPath(server, toSecretKey(rest));
    return { text: `\${file:${path}}`, note: { code: 'input', input: rest, path } };
  }
  const folder = formatSecretPath(server, '');
  return rest.startsWith(folder) && FILE_NAME.test(rest.slice(folder.length))
    ? { text: `\${${inner}}` }
    : { problem: 'file' };
};

export interface LocalServer {
  /** `spec` of the `MCPServer`, with its secrets as they are written. */
  readonly spec: ConfigObject;
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

/** Returns the texts of `env` or `headers`, translated. */
const rewriteMap = (
  key: 'env' | 'headers',
  map: unknown,
  translate: (field: string, text: string) => string,
): ConfigObject => {
  if (!isJsonObject(map)) return map === undefined ? {} : { [key]: map };
  const texts = Object.entries(map).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, translate(`${key}.${name}`, value)] as const] : [],
  );
  return texts.length === 0 ? {} : { [key]: Object.fromEntries(texts) };
};

/** Returns whether values of this machine would be sent to an address that the text decides. */
const canSendValues = ({ url, headers }: ConfigObject): boolean =>
  typeof url === 'string' &&
  [url, ...(isJsonObject(headers) ? Object.values(headers) : [])].some(
    (text) => typeof text === 'string' && /\$(?:\{|[A-Za-z_])/u.test(text),
  );

/**
 * Returns a server as a file of a configuration directory. Placeholders of the client become those of the gateway in file mode: `${NAME}` and
 * `${env:NAME}` become `${env:NAME}`, `${input:ID}` becomes the file of a Secret, `${file:PATH}` stays. Others are problems, and so are files
 * outside `secrets/<server>/`: a file of a client must not decide which files of this machine are sent.
 *
 * @param server its name, and the arguments of `core_mcpserver_create`
 * @param options.hasDollarNames whether the client replaces `$NAME` too, as Gemini CLI does
 */
export const toLocalServer = (
  { name, definition }: { readonly name: string; readonly definition: ConfigObject },
  { hasDollarNames = false }: { readonly hasDollarNames?: boolean } = {},
): LocalServer => {
  const { env, headers, args, url, ...rest } = definition;
  // The gateway replaces no placeholders in these fields.
  const problems = ['command', 'cwd'].flatMap((field) =>
    validatePlaceholders(field, definition[field]),
  );
  const notes: ServerNote[] = [];
  const translate = (field: string, text: string): string =>
    text.replaceAll(
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
  const isHeld = definition['autoStart'] === true && canSendValues(definition);
  const spec = {
    ...rest,
    ...(isHeld && { autoStart: false }),
    ...(isTextList(args) && {
      args: args.map((text, at) => translate(`args[${String(at)}]`, text)),
    }),
    ...(typeof url === 'string' && { url: translate('url', url) }),
    ...rewriteMap('env', env, translate),
    ...rewriteMap('headers', headers, translate),
  };
  if (isHeld) notes.push({ code: 'not-started' });
  return { spec, problems, notes };
};
