import { because, type ReasonsOf } from './reason-description.ts';

/** The reasons of events about sign-ins of persons to servers. */
type SignInReason =
  | 'MCPServerPersonSignedIn'
  | 'MCPServerPersonSignedOut'
  | 'MCPServerSignInFailed'
  | 'MCPServerTokenRefreshRefused'
  | 'MCPServerScopesRequired'
  | 'MCPServerProviderUnavailable'
  | 'MCPServerTokenForwardingFailed'
  | 'MCPServerTokenExchangeFailed';

/**
 * The descriptions of these reasons. The messages name no person, so that those of many persons are aggregated, and readers of events learn
 * nothing about other persons. @spec §6
 */
export const SIGN_IN_REASONS: Pick<ReasonsOf<'MCPServer'>, SignInReason> = {
  MCPServerPersonSignedIn: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A person signed in to a server.',
    message: ({ name }) => `MCPServer ${name} a person signed in`,
  },
  MCPServerPersonSignedOut: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A person signed out of a server.',
    message: ({ name }) => `MCPServer ${name} a person signed out`,
  },
  MCPServerSignInFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A sign-in of a person to a server failed.',
    message: ({ name, error }) => `MCPServer ${name} sign-in of a person failed${because(error)}`,
  },
  MCPServerTokenRefreshRefused: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The authorization server of a server does not renew the token of a person, who must sign in again.',
    message: ({ name, error }) => `MCPServer ${name} token refresh refused${because(error)}`,
  },
  MCPServerScopesRequired: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server requires scopes that the token of a person does not have. The person signs in again to grant them.',
    message: ({ name }) => `MCPServer ${name} requires further scopes of a person`,
  },
  MCPServerProviderUnavailable: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The authorization server of a server cannot be reached, or its answer cannot be used.',
    message: ({ name, during }) =>
      `MCPServer ${name} authorization server is not available for a ${during}`,
  },
  MCPServerTokenForwardingFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The ID token of a person cannot be forwarded to a server, or the server refuses it.',
    message: ({ name, error }) => `MCPServer ${name}: ID token forwarding failed${because(error)}`,
  },
  MCPServerTokenExchangeFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The ID token of a person cannot be exchanged for a token for a server.',
    message: ({ name, error }) =>
      `MCPServer ${name}: RFC 8693 token exchange failed${because(error)}`,
  },
};
