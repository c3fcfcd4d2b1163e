import { fieldsOf, type Fields } from '../output/json-fields.ts';

/** Returns the annotation of a tool as a label, or an empty text. @spec §2.4 */
export function hintOf(tool: Fields): string {
  const annotations = fieldsOf(tool['annotations']);
  if (annotations['readOnlyHint'] === true) return 'read-only';
  return annotations['destructiveHint'] === true ? 'destructive' : '';
}
