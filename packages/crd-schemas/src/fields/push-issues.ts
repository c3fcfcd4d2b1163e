import type * as z from 'zod/mini';
import type { ValidationIssue } from '../resource/validation-issue.ts';

/** Reports the issues of a value to zod. */
export const pushIssues = (
  { issues }: z.core.ParsePayload,
  input: unknown,
  found: readonly ValidationIssue[],
): void => {
  for (const { path, message } of found) {
    issues.push({ code: 'custom', input, path: [...path], message });
  }
};
