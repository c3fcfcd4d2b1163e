export { requirementsOf, type Requirements } from './requirement.ts';
