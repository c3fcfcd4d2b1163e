import {
  findValueProblem,
  listPlaceholders,
  replacePlaceholders,
  SECRET_FIELDS,
} from '@gateway/crd-schemas';
import { type ConfigObject, isJsonObject, readOwnField } from '../json.ts';
import {
  hasReference,
  isSecretLike,
  replaceArgumentSecrets,
  type ReplaceSecret,
  replaceUrlSecrets,
  SECRET_MASK,
  URL_PATH,
} from './secret-values.ts';

/** The Secret with the values of one server. */
export interface SecretPlace {
  readonly name: string;
  /** A folder of files, which placeholders can name too, or an object of a cluster. */
  readonly form: 'files' | 'object';
}

/** Returns the Secret that is made for a server. No two servers of a namespace have the same. */
export const createSecretPlace = (server: string, form: SecretPlace['form']): SecretPlace => ({
  form,
  name: form === 'files' ? server : `mcpserver-${server}`,
});

/** A value to store. */
export interface StoredSecret {
  /** The key in the Secret of the server. */
  readonly key: string;
  readonly value: string;
}

/** Returns the path of a value relative to the configuration directory, with `/`. */
export const formatSecretPath = (name: string, key: string): string => `secrets/${name}/${key}`;

const MAX_KEY_CHARS = 200;

/** Returns a text that can be a key of a Secret, as similar to a name as possible. */
export const toSecretKey = (name: string): string => {
  const key = name.replaceAll(/[^-._a-zA-Z0-9]+/gu, '_').slice(0, MAX_KEY_CHARS);
  return /^\.*$/u.test(key) ? `value${key}` : key;
};

/** Collects the values of one Secret under different keys. File systems can ignore the case of keys. */
export class SecretCollector {
  readonly #name: string;
  readonly #taken: ReadonlySet<string>;
  readonly #values = new Map<string, StoredSecret>();

  /** @param taken the keys of values that stay */
  constructor({ name }: Pick<SecretPlace, 'name'>, taken: readonly string[] = []) {
    this.#name = name;
    this.#taken = new Set(taken.map((key) => key.toLowerCase()));
  }

  /** Adds a value and returns the reference to it. Equal values of one name have one key. */
  add(name: string, value: string): { readonly name: string; readonly key: string } {
    const wanted = toSecretKey(name);
    let key = wanted;
    for (let count = 2; !this.#isFree(key, value); count += 1) key = `${wanted}-${String(count)}`;
    this.#values.set(key.toLowerCase(), { key, value });
    return { name: this.#name, key };
  }

  /** Adds a value and returns the placeholder that stands for it. */
  placeholder(name: string, value: string): string {
    return `\${file:${formatSecretPath(this.#name, this.add(name, value).key)}}`;
  }

  all(): readonly StoredSecret[] {
    return [...this.#values.values()];
  }

  #isFree(key: string, value: string): boolean {
    const found = this.#values.get(key.toLowerCase());
    return found === undefined
      ? !this.#taken.has(key.toLowerCase())
      : found.key === key && found.value === value;
  }
}

const toTexts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(
    (text) => typeof text === 'string',
  );

const toMap = (value: unknown): ConfigObject => (isJsonObject(value) ? value : {});

const toEntries = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the keys of a Secret that an unparsed `spec` names. */
const listSecretKeys = (spec: ConfigObject, { name }: SecretPlace): readonly string[] => [
  ...['envFrom', 'headersFrom'].flatMap((field) =>
    toEntries(spec[field]).flatMap((entry) => {
      const reference = readOwnField(entry, 'secretKeyRef');
      return readOwnField(reference, 'name') === name
        ? toTexts(readOwnField(reference, 'key'))
        : [];
    }),
  ),
  ...['args', 'url', ...SECRET_FIELDS].flatMap((field) => {
    const value = spec[field];
    return toTexts(isJsonObject(value) ? Object.values(value) : value)
      .flatMap(listPlaceholders)
      .flatMap(({ name: path }) =>
        path.startsWith(formatSecretPath(name, '')) ? [path.split('/').at(-1) ?? ''] : [],
      );
  }),
];

/** A secret that a definition contains itself. */
export interface ClearSecret {
  /** From the root of the document. */
  readonly path: readonly (string | number)[];
  /** The path as users write it: `spec.args[0]`. */
  readonly field: string;
}

/** Returns the values in an unparsed `spec` that look like secrets and are written in clear text. */
export const listClearSecrets = (spec: unknown): readonly ClearSecret[] => {
  const mask = (): string => SECRET_MASK;
  const args = toEntries(readOwnField(spec, 'args')).map(String);
  const url = readOwnField(spec, 'url');
  return [
    ...SECRET_FIELDS.flatMap((field) =>
      Object.entries(toMap(readOwnField(spec, field)))
        .filter(([name, text]) => isClearSecret(name, text))
        .map(([name]) => ({ path: ['spec', field, name], field: `spec.${field}.${name}` })),
    ),
    ...replaceArgumentSecrets(args, mask).flatMap((text, at) =>
      text === args[at] ? [] : [{ path: ['spec', 'args', at], field: `spec.args[${String(at)}]` }],
    ),
    ...(typeof url === 'string' && replaceUrlSecrets(url, mask) !== url
      ? [{ path: ['spec', 'url'], field: 'spec.url' }]
      : []),
  ];
};

/** Returns a sentence about a secret in clear text, without the value. */
export const formatClearSecret = ({ field }: ClearSecret): string =>
  `${field} looks like a secret and is written in clear text; name a file of secrets/ or a Secret instead`;

/** A value that looks like a secret and is written in the definition itself. */
const isClearSecret = (name: string, text: unknown): text is string =>
  typeof text === 'string' && !hasReference(text) && isSecretLike(name, text);

interface Separation {
  readonly place: SecretPlace;
  /** The `spec` that is replaced; empty for a new server. What is in it already stays as it is. */
  readonly before: ConfigObject;
  /** The `spec` with all values as they were given. */
  readonly after: ConfigObject;
  /** Values of the Secret that `after` refers to already. */
  readonly secrets?: readonly StoredSecret[] | undefined;
}

export type SeparatedSecrets =
  | { readonly ok: true; readonly spec: ConfigObject; readonly secrets: readonly StoredSecret[] }
  /** One line for each problem, without values. */
  | { readonly ok: false; readonly issues: readonly string[] };

/** What a separation finds. */
interface Findings {
  readonly issues: string[];
  readonly collector: SecretCollector;
}

/** Returns `env` and `envFrom`, or those of headers, with references in place of new secrets. References stay in their order. */
const separateValues = (
  field: (typeof SECRET_FIELDS)[number],
  { place, before, after }: Separation,
  { collector, issues }: Findings,
): ConfigObject => {
  const from = `${field}From`;
  const known = toMap(before[field]);
  const moved = Object.entries(toMap(after[field])).filter(
    ([name, text]) => isClearSecret(name, text) && readOwnField(known, name) !== text,
  ) as readonly (readonly [string, string])[];
  if (moved.length === 0) return {};
  const names = new Set(moved.map(([name]) => name));
  const order = toEntries(before[from]);
  const added = moved.map(([name, value]) => {
    const problem = findValueProblem(field === 'env' ? 'variable' : 'header', value);
    if (problem !== undefined) issues.push(`spec.${field}.${name}: ${problem}`);
    // An escape of a placeholder is none in a stored value.
    const text = place.form === 'files' ? replacePlaceholders(value, () => '') : value;
    const entry = { name, secretKeyRef: collector.add(name, text) };
    return order.find((other) => isSameReference(other, entry)) ?? entry;
  });
  const position = (entry: unknown): number => {
    const at = order.findIndex((other) => nameOf(other) === nameOf(entry));
    return at === -1 ? order.length : at;
  };
  const plain = Object.entries(toMap(after[field])).filter(([name]) => !names.has(name));
  return {
    [field]: plain.length > 0 ? Object.fromEntries(plain) : undefined,
    [from]: [...toEntries(after[from]), ...added].sort((a, b) => position(a) - position(b)),
  };
};

const nameOf = (entry: unknown): unknown => readOwnField(entry, 'name');

interface SecretReference {
  readonly name: string;
  readonly secretKeyRef: { readonly name: string; readonly key: string };
}

const isSameReference = (other: unknown, { name, secretKeyRef }: SecretReference): boolean => {
  const present = readOwnField(other, 'secretKeyRef');
  return (
    nameOf(other) === name &&
    nameOf(present) === secretKeyRef.name &&
    readOwnField(present, 'key') === secretKeyRef.key
  );
};

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns changed arguments with placeholders in place of secrets, which a cluster does not have. */
const separateArguments = (
  { place, before, after }: Separation,
  { collector, issues }: Findings,
): ConfigObject => {
  const { args } = after;
  if (!Array.isArray(args) || isEqual(args, before['args'])) return {};
  const texts = args.map((text) => (typeof text === 'string' ? text : ''));
  const replaced = replaceArgumentSecrets(
    texts,
    createReplacement(place.form === 'files', collector),
  );
  replaced.forEach((text, at) => {
    if (text === texts[at]) return;
    const problem =
      place.form === 'files' ? findValueProblem('argument', texts[at] ?? '') : NOT_IN_ARGUMENTS;
    if (problem !== undefined) issues.push(`spec.args[${String(at)}]: ${problem}`);
  });
  return { args: args.map((text, at) => (typeof text === 'string' ? replaced[at] : text)) };
};

const NOT_IN_ARGUMENTS =
  'contains a secret, which arguments cannot refer to in a cluster: pass it in env';
const NOT_IN_URL = 'contains a secret, which this URL cannot refer to: send it in headers';

/** Without placeholders, random parts of paths stay: most are identifiers. */
const createReplacement =
  (hasPlaceholders: boolean, collector: SecretCollector): ReplaceSecret =>
  (name, value) => {
    if (hasPlaceholders) return collector.placeholder(name, value);
    return name === URL_PATH ? value : SECRET_MASK;
  };

/** Returns a changed URL with placeholders in place of secrets. One to which users sign in has none. */
const separateUrl = (
  { place, before, after }: Separation,
  { collector, issues }: Findings,
): ConfigObject => {
  const { url, auth } = after;
  if (typeof url !== 'string' || url === before['url']) return {};
  const type = readOwnField(auth, 'type') ?? 'none';
  const hasPlaceholders = place.form === 'files' && type === 'none';
  const replaced = replaceUrlSecrets(url, createReplacement(hasPlaceholders, collector));
  if (replaced === url) return {};
  const problem = findValueProblem('url', url) ?? (hasPlaceholders ? undefined : NOT_IN_URL);
  if (problem !== undefined) issues.push(`spec.url: ${problem}`);
  return { url: replaced };
};

/** Moves the secrets that a change adds to a `spec` into the Secret of the server. Both are unparsed. Pure. */
export const separateSecrets = (separation: Separation): SeparatedSecrets => {
  const { place, after, secrets = [] } = separation;
  const taken = [...listSecretKeys(after, place), ...secrets.map(({ key }) => key)];
  const findings: Findings = { issues: [], collector: new SecretCollector(place, taken) };
  const fields = {
    ...after,
    ...separateArguments(separation, findings),
    ...separateUrl(separation, findings),
    ...separateValues('env', separation, findings),
    ...separateValues('headers', separation, findings),
  };
  const { issues, collector } = findings;
  if (issues.length > 0) return { ok: false, issues };
  const spec = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ok: true, spec: Object.fromEntries(spec), secrets: [...secrets, ...collector.all()] };
};
