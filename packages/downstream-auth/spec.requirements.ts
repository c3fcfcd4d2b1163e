import type { Requirements } from '@gateway/repo-checks';

/** The requirements of the specification that this package owns. */
export const requirements = {
  '2.6/auth-forwarding':
    'With forwardToken the user’s ID token goes to the server instead of a separate OAuth flow.',
  '2.6/auth-audiences-requested':
    'requiredAudiences are requested from the identity provider at login.',
  '2.6/auth-exchange':
    'tokenExchange exchanges the gateway’s local token for one valid on the remote cluster’s identity provider (RFC 8693).',
  '2.6/auth-exchanged-issuer': 'The exchanged token’s iss claim is the expected issuer.',
  '2.6/auth-exchange-credentials':
    'Client credentials come from the referenced Secret when the remote provider requires client authentication.',
  '2.6/auth-pinned-server':
    'authorizationServer serves backends that publish RFC 8414 metadata at their origin instead of RFC 9728.',

  '5.1/forwarding': 'ID-token forwarding authenticates to a remote server.',
  '5.1/exchange': 'RFC 8693 token exchange authenticates to a remote server.',
  '5.1/pinned-server':
    'A pinned authorization server (RFC 8414 metadata) serves backends lacking RFC 9728 metadata.',
} as const satisfies Requirements;
