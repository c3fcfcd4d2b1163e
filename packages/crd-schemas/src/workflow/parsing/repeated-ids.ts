import type { ValidationIssue } from '../../resource/validation-issue.ts';
import { placesOf } from '../model/places-of.ts';
import { rightIdOf } from '../model/step-id.ts';

/** Returns the message for an id that an earlier step or sub-step has. @spec §7.6 */
export const repeatedIdText = (id: string): string => `duplicate step ID '${id}' found`;

/** Returns issues for ids that an earlier step or sub-step has. Invalid ids are reported with the fields. @spec §2.7 id */
export const repeatedIds = (spec: unknown): readonly ValidationIssue[] => {
  const seen = new Set<string>();
  return placesOf(spec).flatMap(({ value, path }) => {
    const id = rightIdOf(value);
    if (id === undefined) return [];
    if (seen.has(id)) return [{ path: [...path, 'id'], message: repeatedIdText(id) }];
    seen.add(id);
    return [];
  });
};
