import { openFor } from '../open-requirement.ts';

/** Who calls, who signs in where, and the core tools that belong to it. */
export const signInRequirements = [
  ...openFor('downstream-auth', {
    '2.6/auth-pinned-server':
      'authorizationServer serves backends that publish RFC 8414 metadata at their origin instead of RFC 9728.',
    '2.6/auth-state-per-user':
      'Per-user authentication state is tracked outside the resource status.',

    '5.1/pinned-server':
      'A pinned authorization server (RFC 8414 metadata) serves backends lacking RFC 9728 metadata.',
  }),
];
