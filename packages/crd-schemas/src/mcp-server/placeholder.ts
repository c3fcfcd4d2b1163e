import type { McpServerSpec } from './mcp-server.ts';

/** A part of a text that stands for a value: `${env:NAME}` or `${file:PATH}`. */
export interface Placeholder {
  readonly kind: 'env' | 'file';
  /** The name of the variable, or the path of the file as written. */
  readonly name: string;
}

/** `$${` is an escaped `${`. */
const PLACEHOLDER = /\$\$\{|\$\{(env|file):([^{}\x00]{1,4096})\}/gu;
/** The form of other programs, in which a variable has no prefix. */
const BARE = /(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]{0,255})\}/gu;
/** A placeholder with another prefix than those of the gateway, as a misspelt `${evn:NAME}`. Defaults of shells such as `${A:-b}` are texts. */
const UNKNOWN = /(?<!\$)\$\{(?!(?:env|file):)([A-Za-z]{1,16}):[A-Za-z0-9_./][^{}\x00]{0,255}\}/gu;
/** Two characters of a host, a port or a path. */
const STAND_IN = '11';

/**
 * Returns a text with the values of its placeholders; `$${` becomes `${`, and everything else stays. Values are not searched for
 * placeholders.
 */
export const replacePlaceholders = (
  text: string,
  valueOf: (placeholder: Placeholder) => string,
): string =>
  text.replaceAll(
    PLACEHOLDER,
    (_all, kind: 'env' | 'file' | undefined, name: string | undefined) =>
      kind === undefined || name === undefined ? '${' : valueOf({ kind, name }),
  );

/** Returns the placeholders of a text, in order. */
export const listPlaceholders = (text: string): readonly Placeholder[] => {
  const found: Placeholder[] = [];
  replacePlaceholders(text, (placeholder) => {
    found.push(placeholder);
    return '';
  });
  return found;
};

/** Returns true when file mode changes a text: it has placeholders, or an escape of one. */
export const hasPlaceholders = (text: string): boolean => text.search(PLACEHOLDER) !== -1;

/** Returns the names in a text that other programs would replace, such as `NAME` of `${NAME}`. */
export const listBareNames = (text: string): readonly string[] =>
  [...text.matchAll(BARE)].map(([, name = '']) => name);

/** Returns a URL that is valid when the one with placeholders can become valid. */
export const withStandIns = (url: string): string => {
  const replaced = replacePlaceholders(url, () => STAND_IN);
  return /^\$\{(?:env|file):/u.test(url) ? `http://${replaced}` : replaced;
};

/** A text of a server in which file mode replaces placeholders. */
export interface PlaceholderText {
  /** The path in the document: `spec.args[0]`. */
  readonly field: string;
  readonly text: string;
}

const entriesOf = (field: string, map: Readonly<Record<string, string>>) =>
  Object.entries(map).map(([name, text]) => ({ field: `${field}.${name}`, text }));

/** Returns the texts of a server in which file mode replaces placeholders: `env`, `args`, `headers` and `url`. */
export const listPlaceholderTexts = (spec: McpServerSpec): readonly PlaceholderText[] =>
  spec.type === 'stdio'
    ? [
        ...entriesOf('spec.env', spec.env),
        ...spec.args.map((text, at) => ({ field: `spec.args[${String(at)}]`, text })),
      ]
    : [...entriesOf('spec.headers', spec.headers), { field: 'spec.url', text: spec.url }];

/** Returns a sentence for each text of a server that looks like a placeholder and is sent as it is written, without repetitions. */
export const listPlaceholderWarnings = (spec: McpServerSpec): readonly string[] => [
  ...new Set(
    listPlaceholderTexts(spec).flatMap(({ field, text }) => [
      ...listBareNames(text).map(
        (name) =>
          `${field}: \${${name}} is sent as it is written; write \${env:${name}} for the value of the variable, or $\${${name}} for this text`,
      ),
      ...[...text.matchAll(UNKNOWN)].map(
        // The rest may be a secret.
        ([, prefix = '']) =>
          `${field}: \${${prefix}:…} is sent as it is written; write \${env:NAME} or \${file:PATH} for a value, or $\${${prefix}:…} for this text`,
      ),
    ]),
  ),
];
