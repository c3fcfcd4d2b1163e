import { isJsonObject, type JsonObject, readOwnField, toList } from '@gateway/call-contract';
import { isSecretLike, replaceArgumentSecrets, SECRET_MASK } from '@gateway/client-config';
import { MAX_ISSUES, SECRET_FIELDS } from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';

/** The text that replaces a secret. */
const REDACTED = SECRET_MASK;

/** Maps whose values are all secrets: environment variables and request headers. @spec §2.6 */
const SECRET_MAPS: ReadonlySet<string> = new Set(SECRET_FIELDS);

const SECRET_KEY =
  /(?:password|passphrase|secret|token|credentials?|api[_-]?key|(?:encryption|private|signing)[_-]?key)$/i;

/** Matches up to the last `@`, as URL parsers do, because a password may contain one. */
const URL_USERINFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi;
const URL_SECRET_PARAMETER =
  /([?&#][^\s=&#]{0,100}(?:token|secret|password|key|sig|signature)=)[^\s&#]+/gi;

const redactText = (text: string): string =>
  text.replace(URL_USERINFO, `$1${REDACTED}@`).replace(URL_SECRET_PARAMETER, `$1${REDACTED}`);

const redactArguments = (args: readonly unknown[]): readonly unknown[] => {
  const texts = args.map((arg) => (typeof arg === 'string' ? redactText(arg) : ''));
  const redacted = replaceArgumentSecrets(texts, () => REDACTED);
  return args.map((arg, at) => (typeof arg === 'string' ? redacted[at] : withoutSecrets(arg)));
};

const redactMap = (map: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(map).map((key) => [key, REDACTED]));

/** Arguments of tools, of which those with the form of a secret are masked too. */
const redactDefaults = (map: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(map).map(([key, value]) => [
      key,
      typeof value === 'string' && isSecretLike(key, value) ? REDACTED : redactEntry(key, value),
    ]),
  );

const redactEntry = (key: string, value: unknown): unknown => {
  if (SECRET_MAPS.has(key) && isJsonObject(value)) return redactMap(value);
  if (key === 'args' && Array.isArray(value)) return redactArguments(value);
  if (key === 'defaults' && isJsonObject(value)) return redactDefaults(value);
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return SECRET_KEY.test(key) && isPlain && value !== '' ? REDACTED : withoutSecrets(value);
};

/**
 * Returns a copy of plain data without secrets: the values of `env` and `headers`, texts and numbers under a key that names a secret,
 * values of flags, variables and headers in `args` that name one, and user information and keys in URLs. References to secrets stay.
 */
export const withoutSecrets = (value: unknown): unknown => {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, redactEntry(key, entry)]),
  );
};

/** Returns the patch with every `***` replaced by the value that it hides, or the problems where that is impossible. */
export type KeptSecrets =
  | { readonly ok: true; readonly patch: JsonObject }
  | { readonly ok: false; readonly problems: readonly string[] };

const HIDDEN_IN_TEXT =
  /^[\w.=-]+(?:=|:[ \t]*)\*{3}$|:\/\/\*{3}@|[?&#][^=&#]{1,200}=\*{3}(?:[\s&#]|$)/;

const hasMask = (text: string): boolean => text === REDACTED || HIDDEN_IN_TEXT.test(text);

const MAX_SHOWN_CHARS = 100;

const shortenPath = (path: readonly string[]): string => {
  const text = path.join('.');
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text;
};

/** Maximum nesting of a definition; deeper values are never redacted. */
const MAX_DEPTH = 16;
/** Maximum length of a list in a definition. */
const MAX_ELEMENTS = 1024;

/** A value and its redacted form. */
interface Side {
  readonly real: unknown;
  readonly shown: unknown;
}

interface Walk {
  readonly problems: string[];
  readonly path: readonly string[];
}

/** Replaces a value that could not be restored; never visible, because the problem is reported. */
const NOTHING = '';

const addProblem = ({ problems, path }: Walk, fact: string): typeof NOTHING => {
  if (problems.length < MAX_ISSUES)
    problems.push(`${shortenPath(path)} is ${REDACTED}, and ${fact}`);
  return NOTHING;
};

/**
 * Returns the element that a redacted one stands for. Elements may move within a list, so an element is identified by its own and its
 * predecessor's redacted form. The match must be unique, because a secret in a wrong place could leak to another system.
 */
const keepElement = (given: readonly unknown[], index: number, side: Side, walk: Walk): unknown => {
  const [real, shown] = [toList(side.real), toList(side.shown)];
  const found = new Set(
    real.filter(
      (_, at) =>
        isDeepStrictEqual(shown[at], given[index]) &&
        (given[index] !== REDACTED || shown[at - 1] === given[index - 1]),
    ),
  );
  if (found.size === 1) return [...found][0];
  return addProblem(
    { ...walk, path: [...walk.path, String(index)] },
    found.size === 0 ? 'there is no value to keep' : 'it is not clear which value to keep',
  );
};

/** A text whose redacted form differs contains a secret, whatever its format; so does a mapping with a hidden text. */
const createMaskTest = ({ real, shown }: Side): ((element: unknown) => boolean) => {
  const there = toList(real);
  const masked = new Set(toList(shown).filter((text, index) => text !== there[index]));
  const isHidden = (element: unknown): boolean => {
    if (typeof element === 'string') return hasMask(element) || masked.has(element);
    return typeof element === 'object' && element !== null && Object.values(element).some(isHidden);
  };
  return isHidden;
};

const keepList = (given: readonly unknown[], side: Side, walk: Walk): unknown => {
  const isHidden = createMaskTest(side);
  if (!given.some(isHidden)) return given;
  if (given.length > MAX_ELEMENTS)
    return addProblem(walk, 'the list is too long to keep a value in');
  return given.map((element, index) =>
    isHidden(element) ? keepElement(given, index, side, walk) : element,
  );
};

const KEEP = Symbol('keep what is there');

const resolveValue = (given: unknown, side: Side, walk: Walk): unknown => {
  if (typeof given === 'string') {
    if (given === side.shown && given !== side.real) return KEEP;
    return hasMask(given) ? addProblem(walk, 'there is no value to keep') : given;
  }
  if (Array.isArray(given)) return keepList(given, side, walk);
  const mayHide = isJsonObject(given) && walk.path.length < MAX_DEPTH;
  return mayHide ? keepMembers(given, side, walk) : given;
};

const keepMembers = (given: JsonObject, side: Side, walk: Walk): JsonObject =>
  Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      const inner = { real: readOwnField(side.real, key), shown: readOwnField(side.shown, key) };
      const result = resolveValue(value, inner, { ...walk, path: [...walk.path, key] });
      return result === KEEP ? [] : [[key, result]];
    }),
  );

/** A client that reads a definition and sends it back sends `***` in place of secrets; those secrets stay unchanged. */
export const keepSecrets = (current: JsonObject, patch: JsonObject): KeptSecrets => {
  const problems: string[] = [];
  const side = { real: current, shown: withoutSecrets(current) };
  const made = keepMembers(patch, side, { problems, path: [] });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, patch: made };
};
