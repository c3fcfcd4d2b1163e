export { API_VERSION, DEFAULT_API_GROUP, DEFAULT_LABEL_DOMAIN } from './api-group.ts';
export type { ValidationIssue } from './validation-issue.ts';
