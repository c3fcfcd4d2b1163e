import type { ValidationIssue } from '@gateway/crd-schemas';

/** A file's name that the resource does not carry; a name that is wrong in itself is reported with the fields. */
export const nameIssues = (value: unknown, name: string): readonly ValidationIssue[] => {
  const metadata = (value as { readonly metadata?: unknown }).metadata;
  const actual = (metadata as { readonly name?: unknown } | null | undefined)?.name;
  return typeof actual !== 'string' || actual === name
    ? []
    : [{ path: ['metadata', 'name'], message: `must equal the name of the file, ${name}` }];
};
