import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';

/** Names the requirement that a block of tests proves. */
export const requirement = defineRequirements(requirements);
