import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';

export const requirement = defineRequirements(requirements);
