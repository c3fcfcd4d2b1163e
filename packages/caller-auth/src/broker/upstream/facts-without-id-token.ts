import * as client from 'openid-client';
import type { Account } from './account.ts';
import { personFacts, type ClaimRules, type PersonFacts } from './account-claims.ts';
import { codeOf } from './upstream-failure.ts';

/** The dependencies of {@link factsWithoutIdToken}. */
export interface FactsDependencies extends ClaimRules {
  readonly configuration: client.Configuration;
  /** Time for which groups are believed that the provider does not state again, in milliseconds. */
  readonly groupsMs: number;
  /** Called with the code of a failed request. */
  readonly onFailure: (code: string) => void;
}

/** The answer is about another person. */
const ANOTHER_SUBJECT = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** Returns the facts of the UserInfo endpoint; `undefined` where there is none or it does not answer. OpenID Connect Core §5.3 */
const userInfo = async (
  account: Account,
  accessToken: string,
  dependencies: FactsDependencies,
): Promise<PersonFacts | undefined> => {
  const { configuration, onFailure } = dependencies;
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
  try {
    const claims = await client.fetchUserInfo(configuration, accessToken, account.subject);
    return personFacts(claims, dependencies);
  } catch (error) {
    const code = codeOf(error);
    if (code === ANOTHER_SUBJECT) throw error;
    onFailure(code);
    return undefined;
  }
};

/** Returns the last groups until they are too old: a person may have been removed from them. */
const lastGroups = (
  { groups, groupsAt, checkedAt }: Account,
  { groupsMs, now }: FactsDependencies,
): Pick<PersonFacts, 'groups' | 'groupsAt'> => {
  const statedAt = groupsAt ?? checkedAt;
  if (groups === undefined || now() - statedAt >= groupsMs) return {};
  return { groups, groupsAt: statedAt };
};

/**
 * Returns the facts about a person after a refresh without an ID token, which OpenID Connect Core §12.2 permits: those of the UserInfo
 * endpoint, and the last ones where it does not state them. Groups that are not stated again are dropped after a time. Rejects when the
 * endpoint names another person.
 */
export const factsWithoutIdToken = async (
  account: Account,
  accessToken: string,
  dependencies: FactsDependencies,
): Promise<PersonFacts> => {
  const stated = await userInfo(account, accessToken, dependencies);
  const { email, name } = account;
  const known = {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
  };
  return {
    ...(stated === undefined ? known : {}),
    ...lastGroups(account, dependencies),
    ...stated,
  };
};
