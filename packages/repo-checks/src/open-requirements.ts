import { signInRequirements } from './open/sign-in.ts';
import type { OpenRequirement } from './open-requirement.ts';

/**
 * The requirements of the spec that no package proves yet. A package that takes a requirement over moves its line from here to
 * its own `spec.requirements.ts`: being in both places is an error.
 */
export const openRequirements: readonly OpenRequirement[] = [...signInRequirements];
