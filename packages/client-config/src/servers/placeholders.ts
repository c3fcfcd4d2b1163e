import { secretKeyOf } from './secret-files.ts';
import type { ServerNote, ServerProblem } from './import-problem.ts';

/** The texts of a server with the placeholders of the gateway. */
export interface Translated {
  readonly text: string;
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

/** The text to translate, and where it is. */
export interface ClientText {
  readonly text: string;
  readonly field: string;
  /** The name of the server. */
  readonly server: string;
  /** True when the client replaces `$NAME` too, as Gemini CLI does. */
  readonly hasDollarNames?: boolean;
}

/** The first `$` of `$${` escapes the placeholder. */
const BRACED = /\$?\$\{([^{}]{0,200})\}/gu;
const BRACED_OR_DOLLAR = /\$?\$\{([^{}]{0,200})\}|\$([A-Za-z_][A-Za-z0-9_]*)/gu;
const NAME = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)$/u;
const INPUT = /^input:(.+)$/u;
const FILE = /^file:(.+)$/u;
/** A file of a folder, not of the folders below it. */
const FILE_NAME = /^(?!\.{1,2}$)[-._a-zA-Z0-9]+$/u;
/** Variables that only an editor knows. */
const OF_EDITORS = /^(?:workspaceFolder|userHome|pathSeparator|cwd$|execPath$|file[A-Z])/u;

/** Returns the first placeholder of a text. */
export const placeholderIn = (text: string): string | undefined =>
  /\$\{[^{}]{1,200}\}/u.exec(text)?.[0];

/** Returns whether a text has a placeholder. */
export const hasPlaceholder = (text: string): boolean => placeholderIn(text) !== undefined;

type Replacement =
  | { readonly text: string; readonly note?: ServerNote }
  | { readonly problem: 'placeholder' | 'file' };

const replacementOf = (inner: string, server: string): Replacement => {
  const variable = OF_EDITORS.test(inner) ? undefined : NAME.exec(inner)?.[1];
  if (variable !== undefined)
    return { text: `\${env:${variable}}`, note: { code: 'variable', variable } };
  const input = INPUT.exec(inner)?.[1];
  if (input !== undefined) {
    const path = `secrets/${server}/${secretKeyOf(input)}`;
    return { text: `\${file:${path}}`, note: { code: 'input', input, path } };
  }
  const file = FILE.exec(inner)?.[1];
  if (file === undefined) return { problem: 'placeholder' };
  const folder = `secrets/${server}/`;
  return file.startsWith(folder) && FILE_NAME.test(file.slice(folder.length))
    ? { text: `\${${inner}}` }
    : { problem: 'file' };
};

/**
 * Returns a text in which the placeholders of a client are those of the gateway in file mode: `${NAME}` and `${env:NAME}` become
 * `${env:NAME}`, `${input:ID}` becomes the file of a Secret, `${file:PATH}` stays. Others are problems, and so are files outside
 * `secrets/<server>/`: a file of a client must not decide which files of this machine are sent.
 */
export const translatePlaceholders = ({
  text,
  field,
  server,
  hasDollarNames = false,
}: ClientText): Translated => {
  const problems: ServerProblem[] = [];
  const notes: ServerNote[] = [];
  const translated = text.replaceAll(
    hasDollarNames ? BRACED_OR_DOLLAR : BRACED,
    (placeholder: string, inner: string | undefined, dollar?: unknown) => {
      if (placeholder.startsWith('$$')) return placeholder;
      const name = inner ?? (typeof dollar === 'string' ? dollar : '');
      const replacement = replacementOf(name, server);
      if ('problem' in replacement) {
        problems.push({ code: replacement.problem, field, placeholder });
        return placeholder;
      }
      if (replacement.note !== undefined) notes.push(replacement.note);
      return replacement.text;
    },
  );
  return { text: translated, problems, notes };
};
