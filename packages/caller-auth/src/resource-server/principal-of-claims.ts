import {
  isJsonObject,
  type JsonObject,
  type Principal,
  signedInPrincipal,
} from '@gateway/call-contract';
import { GATEWAY_SCOPES, READ_SCOPE, type GatewayScope } from '../tokens/scopes.ts';
import { claimAt } from './claim-path.ts';

/** The names of the claims about a person. */
export interface ClaimNames {
  readonly subject: string;
  readonly email: string;
  readonly groups: string;
}

/** The mapping of the claims of an issuer. */
export interface ClaimMapping {
  readonly issuer: string;
  readonly claims: ClaimNames;
  /** The scopes of the gateway that the issuer grants; a token needs no scope to read where `mcp:read` is not among them. */
  readonly scopes: readonly GatewayScope[];
}

const MAX_SUBJECT_CHARS = 1_024;
const MAX_EMAIL_CHARS = 320;
const MAX_GROUPS = 1_000;
const MAX_GROUP_CHARS = 512;

/** Returns the person that the claims of a token describe; `undefined` without a usable subject. */
export const principalOfClaims = (
  claims: JsonObject,
  { issuer, claims: names, scopes }: ClaimMapping,
): Principal | undefined => {
  const subject = subjectOf(claimAt(claims, names.subject));
  if (subject === undefined) return undefined;
  const email = emailOf(claims, names);
  const groups = groupsOf(claimAt(claims, names.groups));
  const actor = actorOf(claims);
  return signedInPrincipal({
    ...{ issuer, subject },
    ...(email !== undefined && { email }),
    ...(groups.length > 0 && { groups }),
    ...(actor !== undefined && { actor }),
    scopes: effectiveScopes(claims, scopes),
  });
};

/** Returns the subject of a token; `undefined` for a claim that identifies no user. */
export const subjectOf = (claim: unknown): string | undefined => textOf(claim, MAX_SUBJECT_CHARS);

/** Returns the e-mail address, unless the issuer says that it has not verified it: pages show it as the name of the person. */
const emailOf = (claims: JsonObject, names: ClaimNames): string | undefined =>
  isUnverified(claimAt(claims, 'email_verified'))
    ? undefined
    : textOf(claimAt(claims, names.email), MAX_EMAIL_CHARS);

/** Some issuers write the claim as text. */
const isUnverified = (claim: unknown): boolean => claim === false || claim === 'false';

/** Returns the claim if it is a text that a log and a store can hold. */
const textOf = (claim: unknown, maxChars: number): string | undefined =>
  typeof claim === 'string' && claim !== '' && claim.length <= maxChars ? claim : undefined;

const groupsOf = (claim: unknown): readonly string[] => {
  const groups: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return groups.slice(0, MAX_GROUPS).flatMap((group) => textOf(group, MAX_GROUP_CHARS) ?? []);
};

/** Returns the party that acts for the subject. RFC 8693 §4.1 */
const actorOf = (claims: JsonObject): string | undefined => {
  const act = claimAt(claims, 'act');
  return isJsonObject(act) && Object.hasOwn(act, 'sub')
    ? textOf(act['sub'], MAX_SUBJECT_CHARS)
    : undefined;
};

/** Returns the scopes of the gateway that a token grants. `scp` is the claim of some providers. RFC 9068 §2.2.3 */
const effectiveScopes = (
  claims: JsonObject,
  issued: readonly GatewayScope[],
): readonly GatewayScope[] => {
  const granted = new Set([
    ...scopesIn(claimAt(claims, 'scope')),
    ...scopesIn(claimAt(claims, 'scp')),
  ]);
  const mayAlwaysRead = !issued.includes(READ_SCOPE);
  return GATEWAY_SCOPES.filter(
    (scope) =>
      (issued.includes(scope) && granted.has(scope)) || (scope === READ_SCOPE && mayAlwaysRead),
  );
};

const MAX_SCOPE_CHARS = 16 * 1024;

const scopesIn = (claim: unknown): readonly string[] => {
  if (Array.isArray(claim)) return claim.filter((scope) => typeof scope === 'string');
  return typeof claim === 'string' ? claim.slice(0, MAX_SCOPE_CHARS).split(' ') : [];
};
