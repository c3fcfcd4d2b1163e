import {
  ADMIN_SCOPE,
  GATEWAY_SCOPES,
  type GatewayScope,
  isJsonObject,
  type JsonObject,
  type Principal,
  createPrincipal,
  READ_SCOPE,
} from '@gateway/call-contract';
import { compileGlob } from '@gateway/catalog';

/**
 * Returns the claim at a path: the claim whose whole name is the path, such as `https://example.com/groups`, otherwise the member that
 * the dots lead to, such as `realm_access.roles`. Inherited properties are no claims.
 */
const findClaim = (claims: JsonObject, path: string): unknown => {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
};

/** Characters of the longest value that is compared; a longer one matches nothing. */
const MAX_VALUE_CHARS = 512;

/** Values of a claim that are compared; a value after them matches nothing. */
const MAX_VALUES = 1_000;

/** Returns whether the claims of a token are accepted. */
export type ClaimCheck = (claims: JsonObject) => boolean;

/**
 * Returns the check of required claims: each path has a value, or a list with a value, that matches one of its globs. A glob that does
 * not compile matches nothing; the settings refuse it.
 */
export const createClaimCheck = (
  required: Readonly<Record<string, readonly string[]>>,
): ClaimCheck => {
  const checks = Object.entries(required).map(([path, patterns]) => ({
    path,
    globs: patterns.map((pattern) => compileGlob(pattern)),
  }));
  return (claims) =>
    checks.every(({ path, globs }) =>
      readValues(findClaim(claims, path)).some((value) =>
        globs.some((glob) => glob.ok && glob.matches(value)),
      ),
    );
};

/** An empty text is no value: a lone `*` asks that there is one. */
const readValues = (claim: unknown): readonly string[] => {
  const values: readonly unknown[] = Array.isArray(claim) ? claim.slice(0, MAX_VALUES) : [claim];
  return values.flatMap((value) => {
    const isScalar = typeof value === 'string' || typeof value === 'boolean';
    const text = isScalar ? String(value) : '';
    return text !== '' && text.length <= MAX_VALUE_CHARS ? [text] : [];
  });
};

/** The names of the claims about a user. */
interface ClaimNames {
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly groups: string;
}

interface ClaimMapping {
  readonly issuer: string;
  readonly claims: ClaimNames;
  /** The scopes of the gateway that the issuer grants; a token needs no scope to read where `mcp:read` is not among them. */
  readonly scopes: readonly GatewayScope[];
  /** Groups whose members have the scope of administrators where the issuer does not grant it. */
  readonly adminGroups: readonly string[];
}

const MAX_SUBJECT_CHARS = 1_024;
const MAX_EMAIL_CHARS = 320;
const MAX_NAME_CHARS = 320;
const MAX_GROUPS = 1_000;
const MAX_GROUP_CHARS = 512;

/** Returns the user that the claims of a token describe; `undefined` without a usable subject. */
export const readPrincipal = (
  claims: JsonObject,
  { issuer, claims: names, scopes, adminGroups }: ClaimMapping,
): Principal | undefined => {
  const subject = readSubject(findClaim(claims, names.subject));
  if (subject === undefined) return undefined;
  const email = readEmail(claims, names);
  const groups = readGroups(findClaim(claims, names.groups));
  const name = readText(findClaim(claims, names.name), MAX_NAME_CHARS);
  const actor = readActor(claims);
  return createPrincipal({
    issuer,
    subject,
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    ...(groups.length > 0 && { groups }),
    ...(actor !== undefined && { actor }),
    scopes: resolveEffectiveScopes(claims, scopes, isMember(groups, adminGroups)),
  });
};

/** Returns the subject of a token; `undefined` for a claim that identifies no user. */
export const readSubject = (claim: unknown): string | undefined =>
  readText(claim, MAX_SUBJECT_CHARS);

/** Returns the e-mail address, unless the issuer says that it has not verified it: pages show it as the name of the user. */
const readEmail = (claims: JsonObject, names: ClaimNames): string | undefined =>
  isUnverified(findClaim(claims, 'email_verified'))
    ? undefined
    : readText(findClaim(claims, names.email), MAX_EMAIL_CHARS);

/** Some issuers write the claim as text. */
const isUnverified = (claim: unknown): boolean => claim === false || claim === 'false';

/** Returns the claim if it is a text that a log and a store can hold. */
const readText = (claim: unknown, maxChars: number): string | undefined =>
  typeof claim === 'string' && claim !== '' && claim.length <= maxChars ? claim : undefined;

const readGroups = (claim: unknown): readonly string[] => {
  const groups: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return groups.slice(0, MAX_GROUPS).flatMap((group) => readText(group, MAX_GROUP_CHARS) ?? []);
};

/** Returns the party that acts for the subject. RFC 8693 §4.1 */
const readActor = (claims: JsonObject): string | undefined => {
  const act = findClaim(claims, 'act');
  return isJsonObject(act) && Object.hasOwn(act, 'sub')
    ? readText(act['sub'], MAX_SUBJECT_CHARS)
    : undefined;
};

/** Returns whether a user is a member of a group that administers the gateway. */
export const isMember = (groups: readonly string[], adminGroups: readonly string[]): boolean =>
  groups.some((group) => adminGroups.includes(group));

/** Returns the scopes of the gateway that a token grants; what its issuer does not grant depends on the groups. `scp` is the claim of some providers. RFC 9068 §2.2.3 */
const resolveEffectiveScopes = (
  claims: JsonObject,
  issued: readonly GatewayScope[],
  isInAdminGroup: boolean,
): readonly GatewayScope[] => {
  const granted = new Set([
    ...parseScopes(findClaim(claims, 'scope')),
    ...parseScopes(findClaim(claims, 'scp')),
  ]);
  const ungranted = { [READ_SCOPE]: true, [ADMIN_SCOPE]: isInAdminGroup };
  return GATEWAY_SCOPES.filter((scope) =>
    issued.includes(scope) ? granted.has(scope) : ungranted[scope],
  );
};

const MAX_SCOPE_CHARS = 16 * 1024;

const parseScopes = (claim: unknown): readonly string[] => {
  if (Array.isArray(claim)) return claim.filter((scope) => typeof scope === 'string');
  return typeof claim === 'string' ? claim.slice(0, MAX_SCOPE_CHARS).split(' ') : [];
};
