const MAX_SCOPE_CHARS = 4_096;
/** RFC 6749 §3.3 */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Returns the valid scopes of texts that separate scopes by spaces, without repetition, in order. Texts of more than 4,096 characters have none. */
const parseScopes = (...texts: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(
    texts
      .filter((text) => text !== undefined && text.length <= MAX_SCOPE_CHARS)
      .flatMap((text) => text?.split(' ') ?? [])
      .filter((scope) => SCOPE.test(scope)),
  );

export const uniteScopes = (...texts: readonly (string | undefined)[]): string =>
  [...parseScopes(...texts)].join(' ');

/** Returns the scopes that a server required since a sign-in: those that were not requested, or all when each was. */
export const computeFurtherScopes = (requested: string, required: string): string => {
  const granted = parseScopes(requested);
  const further = [...parseScopes(required)].filter((scope) => !granted.has(scope)).join(' ');
  return further || uniteScopes(required);
};

export const hasScopes = (have: string, need: string | undefined): boolean => {
  const granted = parseScopes(have);
  return [...parseScopes(need)].every((scope) => granted.has(scope));
};

/** The parameters of a `Bearer` challenge. RFC 6750 §3, RFC 9728 §5.1 */
export interface BearerChallenge {
  readonly resourceMetadata?: string;
  readonly realm?: string;
  readonly scope?: string;
  readonly error?: string;
}

const MAX_HEADER_CHARS = 8 * 1024;
const SCHEME = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?=[ \t]|$|,)/y;
const PARAMETER =
  /[ \t]*,?[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/y;
const SEPARATOR = /[ \t,]+/y;

const take = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};

interface Parameters {
  readonly values: ReadonlyMap<string, string>;
  readonly end: number;
}

/** Reads the parameters of one challenge; the first of several with one name counts. */
const readParameters = (text: string, start: number): Parameters => {
  const values = new Map<string, string>();
  let end = start;
  for (;;) {
    const match = take(PARAMETER, text, end);
    if (match === undefined) return { values, end };
    const [whole, name = '', quoted, plain = ''] = match;
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain);
    end += whole.length;
  }
};

const toChallenge = (values: ReadonlyMap<string, string>): BearerChallenge => {
  const resourceMetadata = values.get('resource_metadata');
  const realm = values.get('realm');
  const scope = values.get('scope');
  const error = values.get('error');
  return {
    ...(resourceMetadata !== undefined && { resourceMetadata }),
    ...(realm !== undefined && { realm }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
  };
};

interface Challenge {
  readonly scheme: string;
  readonly values: ReadonlyMap<string, string>;
  readonly next: number;
}

const readChallenge = (text: string, at: number): Challenge | undefined => {
  const start = at + (take(SEPARATOR, text, at)?.[0].length ?? 0);
  const scheme = take(SCHEME, text, start)?.[0];
  if (scheme === undefined) return undefined;
  const afterScheme = start + scheme.length;
  const { values, end } = readParameters(text, afterScheme);
  // The token of a scheme such as `Negotiate` is skipped.
  const comma = end === afterScheme ? text.indexOf(',', end) : end;
  return { scheme: scheme.toLowerCase(), values, next: comma < 0 ? text.length : comma };
};

/** Returns the `Bearer` challenge of a `WWW-Authenticate` header of at most 8,192 characters, among those of other schemes. RFC 9110 §11.6.1 */
export const parseBearerChallenge = (
  header: string | null | undefined,
): BearerChallenge | undefined => {
  if (typeof header !== 'string' || header.length > MAX_HEADER_CHARS) return undefined;
  const found: ReadonlyMap<string, string>[] = [];
  let at: number | undefined = 0;
  while (at !== undefined && at < header.length) {
    const challenge = readChallenge(header, at);
    if (challenge?.scheme === 'bearer') found.push(challenge.values);
    at = challenge?.next;
  }
  if (found.length === 0) return undefined;
  return toChallenge(new Map(found.toReversed().flatMap((values) => [...values])));
};
