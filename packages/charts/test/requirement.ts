import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';

/** Names the requirement of the specification that a test proves. */
export const requirement = defineRequirements(requirements);
