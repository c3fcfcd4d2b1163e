import type { EnabledTokenExchange } from '@gateway/crd-schemas';
import { basicAuthorization } from '@gateway/service-host';
import type { ClientCredentials } from '@gateway/service-host';
import { audienceScope } from '../id-tokens/required-audiences.ts';
import type { ExchangeFailure } from './exchange-failure.ts';

/** RFC 8693 §2.1 */
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** RFC 8693 §3 */
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

/** The settings and secrets of one exchange. */
export interface ExchangeFacts {
  readonly scope: string;
  readonly connectorId: string;
  readonly subjectToken: string;
  readonly client?: ClientCredentials;
}

/** Returns the scopes of the exchanged token, each once: those of the settings, then one for each audience. @spec §2.6 scopes */
export const exchangeScopes = (
  { scopes }: Pick<EnabledTokenExchange, 'scopes'>,
  audiences: readonly string[],
):
  | { readonly ok: true; readonly scope: string }
  | { readonly ok: false; readonly failure: ExchangeFailure } => {
  const wrong = audiences.find((audience) => audienceScope(audience) === undefined);
  if (wrong !== undefined)
    return { ok: false, failure: { code: 'exchange.audience', audience: wrong } };
  const all = [...scopes.split(' '), ...audiences.map((each) => audienceScope(each) ?? '')];
  return { ok: true, scope: [...new Set(all)].join(' ') };
};

/** Returns the request of a token exchange. RFC 8693 §2.1 @spec §2.6 tokenExchange */
export const exchangeRequest = ({
  scope,
  connectorId,
  subjectToken,
  client,
}: ExchangeFacts): {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} => ({
  method: 'POST',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    ...(client !== undefined && { authorization: basicAuthorization(client) }),
  },
  body: new URLSearchParams({
    grant_type: GRANT_TYPE,
    subject_token: subjectToken,
    subject_token_type: ID_TOKEN,
    requested_token_type: ID_TOKEN,
    connector_id: connectorId,
    scope,
  }).toString(),
});
