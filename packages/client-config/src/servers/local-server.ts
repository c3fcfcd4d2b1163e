import { isJsonObject, type JsonObject } from '../reading/json-object.ts';
import type { ServerNote, ServerProblem } from './import-problem.ts';
import { hasPlaceholder, placeholderIn, translatePlaceholders } from './placeholders.ts';
import { argumentsWithoutSecrets, urlWithoutSecrets } from './secret-arguments.ts';
import { SecretFiles, type SecretFile } from './secret-files.ts';
import { looksSecret } from './secret-values.ts';
import { isTextList } from './text-values.ts';

/** A server for files of a configuration directory. */
export interface LocalServer {
  /** `spec` of the `MCPServer`; it contains no text that looks like a secret. */
  readonly spec: JsonObject;
  readonly secrets: readonly SecretFile[];
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

/** A server as `core_mcpserver_create` takes it. */
export interface NamedDefinition {
  readonly name: string;
  readonly definition: JsonObject;
}

interface LocalServerOptions {
  readonly hasDollarNames?: boolean;
  readonly isTranslated?: boolean;
}

/** Translates the texts of one server, and collects problems and notes. */
class Translation {
  readonly problems: ServerProblem[] = [];
  readonly notes: ServerNote[] = [];
  readonly #server: string;
  readonly #options: LocalServerOptions;

  constructor(server: string, options: LocalServerOptions) {
    this.#server = server;
    this.#options = options;
  }

  text(field: string, text: string): string {
    const { hasDollarNames = false, isTranslated = false } = this.#options;
    if (isTranslated) return text;
    const about = { field, server: this.#server, hasDollarNames };
    const translated = translatePlaceholders({ text, ...about });
    this.problems.push(...translated.problems);
    this.notes.push(...translated.notes);
    return translated.text;
  }
}

/** The gateway replaces no placeholders in these fields. */
const literalProblems = (definition: JsonObject): readonly ServerProblem[] =>
  ['command', 'cwd'].flatMap((field) => {
    const text = definition[field];
    const placeholder = typeof text === 'string' ? placeholderIn(text) : undefined;
    return placeholder === undefined ? [] : [{ code: 'placeholder', field, placeholder }];
  });

const isText = (entry: [string, unknown]): entry is [string, string] =>
  typeof entry[1] === 'string';

/** `env` or `headers`, with its secrets in files. */
const mapFields = (
  key: 'env' | 'headers',
  map: unknown,
  { files, translation }: { files: SecretFiles; translation: Translation },
): JsonObject => {
  if (!isJsonObject(map)) return map === undefined ? {} : { [key]: map };
  const plain: (readonly [string, string])[] = [];
  const references: JsonObject[] = [];
  for (const [name, value] of Object.entries(map).filter(isText)) {
    const text = translation.text(`${key}.${name}`, value);
    if (hasPlaceholder(text) || !looksSecret(name, text)) {
      plain.push([name, text]);
      continue;
    }
    const path = files.pathOf(files.add(name, text)).split('/');
    references.push({ name, secretKeyRef: { name: path[1], key: path[2] } });
  }
  return {
    ...(plain.length > 0 && { [key]: Object.fromEntries(plain) }),
    ...(references.length > 0 && { [`${key}From`]: references }),
  };
};

/** Returns whether values of this machine would be sent to an address that the text decides. */
const sendsValues = ({ url, headers }: JsonObject): boolean =>
  typeof url === 'string' &&
  [url, ...(isJsonObject(headers) ? Object.values(headers) : [])].some(
    (text) => typeof text === 'string' && /\$(?:\{|[A-Za-z_])/u.test(text),
  );

/**
 * Returns a server as files of a configuration directory: placeholders of the client become those of the gateway, and values that look like
 * secrets become files of `secrets/`, named by `envFrom`, `headersFrom` or `${file:...}`.
 *
 * @param options.hasDollarNames whether the client replaces `$NAME` too, as Gemini CLI does
 * @param options.isTranslated whether the texts are written for the gateway, so that placeholders stay as they are
 */
export const localServer = (
  { name, definition }: NamedDefinition,
  options: LocalServerOptions = {},
): LocalServer => {
  const files = new SecretFiles(name);
  const translation = new Translation(name, options);
  const { env, headers, args, url, ...rest } = definition;
  const parts = { files, translation };
  const texts = isTextList(args)
    ? args.map((text, at) => translation.text(`args[${String(at)}]`, text))
    : undefined;
  const address = typeof url === 'string' ? translation.text('url', url) : undefined;
  const isHeld = definition['autoStart'] === true && sendsValues(definition);
  const spec = {
    ...rest,
    ...(isHeld && { autoStart: false }),
    ...(texts !== undefined && { args: argumentsWithoutSecrets(texts, files) }),
    ...(address !== undefined && { url: urlWithoutSecrets(address, files) }),
    ...mapFields('env', env, parts),
    ...mapFields('headers', headers, parts),
  };
  return {
    spec,
    secrets: files.all(),
    problems: [...literalProblems(definition), ...translation.problems],
    notes: [...translation.notes, ...(isHeld ? [{ code: 'not-started' as const }] : [])],
  };
};
