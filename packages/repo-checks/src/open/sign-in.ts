import { openFor } from '../open-requirement.ts';

/** Who calls, who signs in where, and the core tools that belong to it. */
export const signInRequirements = [...openFor('downstream-auth', {})];
