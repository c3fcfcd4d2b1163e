import { fieldsOf, type Fields } from '../output/json-fields.ts';

/** What a tool declares about itself, in one word; nothing where it declares nothing that matters. @spec §2.4 */
export function hintOf(tool: Fields): string {
  const annotations = fieldsOf(tool['annotations']);
  if (annotations['readOnlyHint'] === true) return 'read-only';
  return annotations['destructiveHint'] === true ? 'destructive' : '';
}
