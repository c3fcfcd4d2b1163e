import type { ValidationIssue } from '../resource/validation-issue.ts';
import type { McpServerSpecFields } from './spec-fields.ts';

/** Returns the entries of `headersFrom` that differ from a header of `headers` in case only, which no rule in CEL states. RFC 9110 §5.1 */
export const headerCaseIssues = ({
  headers = {},
  headersFrom = [],
}: McpServerSpecFields): readonly ValidationIssue[] => {
  const names = Object.keys(headers);
  const known = new Set(names.map((name) => name.toLowerCase()));
  return headersFrom.some(({ name }) => known.has(name.toLowerCase()) && !names.includes(name))
    ? [
        {
          path: ['spec', 'headersFrom'],
          message: 'a header is either in headers or in headersFrom, whatever the case of its name',
        },
      ]
    : [];
};
