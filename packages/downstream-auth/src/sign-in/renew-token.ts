import type { StateKey } from '@gateway/state-store';
import { toErrorCode } from '../ports/sign-in.ts';
import {
  type AccessToken,
  type Binding,
  findToken,
  type FoundToken,
  type Grant,
  isValid,
  computeRefreshTime,
  withoutResource,
  withToken,
} from '../tokens/token-records.ts';
import { refreshAccess, type TokenAnswer } from '../tokens/token-requests.ts';
import {
  ENDED,
  findEndpoint,
  type FoundEndpoint,
  type ServerUser,
  type SignInContext,
} from './sign-in-context.ts';

export type Renewal =
  | { readonly kind: 'token'; readonly token: AccessToken }
  /** The user must sign in again. */
  | { readonly kind: 'ended'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface RenewalRequest {
  readonly user: ServerUser;
  readonly binding: Binding;
  /** The id of the token that the server refused. */
  readonly refusedId?: string;
}

/** The lock over all changes of the tokens of a user at an issuer. */
export const createTokensLockKey = (principalKey: string, issuer: string): StateKey => [
  'lock',
  'tokens',
  principalKey,
  issuer,
];

/** A token that replaced a refused one, and is refused so soon, is not replaced again. */
const REPLACEMENT_MS = 60_000;

/** Error codes after which a refresh token is of no use. RFC 6749 §5.2 */
const FINAL: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** A token request for a grant; a failure to find the client or the issuer counts as its failure. */
export type GrantRefresh =
  | { readonly kind: 'answer'; readonly answer: TokenAnswer }
  | Exclude<FoundEndpoint, { readonly kind: 'endpoint' }>;

export const refreshGrant = async (
  context: SignInContext,
  user: ServerUser,
  request: {
    readonly grant: Grant;
    readonly issuer: string;
    readonly resource: string;
    readonly refreshToken: string;
  },
): Promise<GrantRefresh> => {
  const { issuer, grant, refreshToken, resource } = request;
  const found = await findEndpoint(context, user, { issuer, client: grant.client });
  if (found.kind !== 'endpoint') return found;
  const answer = await refreshAccess(found.endpoint, refreshToken, resource);
  if (!answer.ok && answer.failure.error === 'invalid_client') await found.dropClient();
  return { kind: 'answer', answer };
};

export const isFinalFailure = (answer: TokenAnswer): boolean =>
  !answer.ok && answer.failure.error !== undefined && FINAL.has(answer.failure.error);

interface Work extends RenewalRequest {
  readonly context: SignInContext;
  readonly grants: readonly Grant[];
  readonly found: FoundToken;
}

const save = ({ context, user, binding }: Work, grants: readonly Grant[]): Promise<void> =>
  context.vault.setGrants(user.principalKey, binding.issuer, grants);

const end = async (work: Work, reason: string): Promise<Renewal> => {
  await save(work, withoutResource(work.grants, work.binding.resource));
  return { kind: 'ended', reason };
};

/** Returns the old token while it may be used. */
const keepOr = ({ found, refusedId, context }: Work, reason: string): Renewal => {
  const { token } = found;
  const isUsable = token.id !== refusedId && isValid(token, context.clock());
  return isUsable ? { kind: 'token', token } : { kind: 'unavailable', reason };
};

const isTemporary = (error: string | undefined): boolean =>
  error === undefined || error === 'temporarily_unavailable' || error === 'server_error';

const applyAnswer = async (work: Work, answer: TokenAnswer): Promise<Renewal> => {
  const { user, grants, found, refusedId } = work;
  if (!answer.ok) {
    const { error, reason } = answer.failure;
    if (error === undefined || isTemporary(error))
      return keepOr(work, `The token for server "${user.server}" cannot be refreshed: ${reason}.`);
    const ended = ENDED.issuer(user.server, error);
    if (!isFinalFailure(answer)) return end(work, ended);
    await save(
      work,
      grants.filter((grant) => grant !== found.grant),
    );
    return { kind: 'ended', reason: ended };
  }
  const isReplacement = refusedId !== undefined;
  const token = { ...answer.token, ...(isReplacement && { isReplacement }) };
  const { refreshToken } = answer;
  // The rotated refresh token is stored before the access token is used: the old one is not valid any more.
  await save(work, withToken(grants, found.grant, { token, refreshToken }));
  return { kind: 'token', token };
};

const isUseless = ({ isReplacement, obtainedAt }: AccessToken, now: number): boolean =>
  isReplacement === true && now - obtainedAt < REPLACEMENT_MS;

const withoutRefresh = async (work: Work, now: number): Promise<Renewal> => {
  const { found, refusedId, user } = work;
  if (found.token.id === refusedId) return end(work, ENDED.refused(user.server));
  if (isValid(found.token, now)) return { kind: 'token', token: found.token };
  return end(work, ENDED.expired(user.server));
};

const observeRefresh = ({ context, user: { server } }: Work, refresh: GrantRefresh): void => {
  const { observe } = context;
  if (refresh.kind === 'unavailable')
    observe({ code: 'provider-unavailable', server, during: 'refresh' });
  else if (refresh.kind === 'no-client')
    observe({ code: 'refresh-refused', server, error: 'no_client' });
  else if (refresh.answer.ok) observe({ code: 'refreshed', server });
  else if (isTemporary(refresh.answer.failure.error))
    observe({ code: 'provider-unavailable', server, during: 'refresh' });
  else
    observe({
      code: 'refresh-refused',
      server,
      error: toErrorCode(refresh.answer.failure.error),
    });
};

const renewLocked = async (work: Work): Promise<Renewal> => {
  const { context, user, binding, found, refusedId } = work;
  const { token, grant } = found;
  const now = context.clock();
  if (token.id !== refusedId && now < computeRefreshTime(token)) return { kind: 'token', token };
  if (token.id === refusedId && isUseless(token, now)) return end(work, ENDED.refused(user.server));
  const { refreshToken } = grant;
  if (refreshToken === undefined) return withoutRefresh(work, now);
  const { issuer, resource } = binding;
  const refresh = await refreshGrant(context, user, { grant, issuer, resource, refreshToken });
  observeRefresh(work, refresh);
  switch (refresh.kind) {
    case 'answer':
      return applyAnswer(work, refresh.answer);
    case 'no-client':
      return end(work, ENDED.client(user.server));
    case 'unavailable':
      return keepOr(work, refresh.reason);
  }
};

/** Returns the stored token when another request or process renewed it, else one by refresh, one at a time in all processes. Rejects with failures of the store. */
export const renewToken = (context: SignInContext, request: RenewalRequest): Promise<Renewal> => {
  const { user, binding } = request;
  return context.lock(createTokensLockKey(user.principalKey, binding.issuer), async () => {
    const grants = await context.vault.grants(user.principalKey, binding.issuer);
    const found = findToken(grants, binding.resource);
    if (found === undefined)
      return { kind: 'ended', reason: binding.ended ?? ENDED.expired(user.server) };
    return renewLocked({ ...request, context, grants, found });
  });
};
