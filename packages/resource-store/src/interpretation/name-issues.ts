import type { ValidationIssue } from '@gateway/crd-schemas';

/** Returns the issue of a resource whose name differs from the name of its file. A missing name is reported with the other fields. */
export const nameIssues = (value: unknown, name: string): readonly ValidationIssue[] => {
  const metadata = (value as { readonly metadata?: unknown }).metadata;
  const actual = (metadata as { readonly name?: unknown } | null | undefined)?.name;
  return typeof actual !== 'string' || actual === name
    ? []
    : [{ path: ['metadata', 'name'], message: `must equal the name of the file, ${name}` }];
};
