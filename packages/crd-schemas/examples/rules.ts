import { listCelRules, evaluateRules, ITEMS, formatError } from '@gateway/crd-schemas';

/** What fields of a spec require of each other, and nothing else: the spec may be wrong in any other way. */
const issues = evaluateRules('MCPServer', { type: 'stdio', timeout: 'soon' });
export const broken = issues.map(formatError);
// spec.command: command is required when type is stdio
export const fields = issues.map(({ path }) => path.join('.'));
// spec.command

/** Rules as `x-kubernetes-validations` takes them, by the place where they hang. */
export const places = listCelRules('Workflow').map(({ path }) =>
  path.map((segment) => (segment === ITEMS ? '*' : segment)).join('/'),
);
// spec, spec/steps/*, ...
