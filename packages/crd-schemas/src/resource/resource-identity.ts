import type { ValidationIssue } from './validation-issue.ts';

/** Returns the value of one of the document's own keys, or undefined. */
export const memberOf = (document: unknown, key: string): unknown =>
  typeof document === 'object' && document !== null && Object.hasOwn(document, key)
    ? (document as Readonly<Record<string, unknown>>)[key]
    : undefined;

/**
 * Returns the issues of a wrong `apiVersion` or `kind`; a value that is not a string is reported with the other types. @spec
 * §9.1
 */
export const identityIssues = (
  document: unknown,
  expected: { readonly apiVersion: string; readonly kind: string },
): readonly ValidationIssue[] =>
  (['apiVersion', 'kind'] as const)
    .filter((key) => {
      const value = memberOf(document, key);
      return typeof value === 'string' && value !== expected[key];
    })
    .map((key) => ({ path: [key], message: `must be ${expected[key]}` }));
