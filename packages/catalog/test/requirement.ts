import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';

/** Names the requirement that the tests inside prove. */
export const requirement = defineRequirements(requirements);
