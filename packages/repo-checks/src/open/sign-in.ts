import { openFor } from '../open-requirement.ts';

/** Who calls, who signs in where, and the core tools that belong to it. */
export const signInRequirements = [
  ...openFor('downstream-auth', {
    '2.6/auth-state-per-user':
      'Per-user authentication state is tracked outside the resource status.',
  }),
];
