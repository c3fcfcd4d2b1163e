import type { JsonObject } from '@gateway/call-contract';

const wholeNumber: JsonObject = { type: 'integer', minimum: 0 };

/**
 * Returns the JSON Schema of the answer of every `filter_*`: the filters in force and one page of the matches.
 *
 * @param list the key of the page's entries and of the count of all there are, `total_<list>`
 */
export const filterResultSchema = (
  list: 'tools' | 'resources' | 'prompts',
  parts: {
    readonly filters: JsonObject;
    readonly entry: JsonObject;
    readonly more?: JsonObject;
  },
): JsonObject => ({
  type: 'object',
  properties: {
    filters: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        ...parts.filters,
        case_sensitive: { type: 'boolean' },
        limit: wholeNumber,
        offset: wholeNumber,
      },
      required: ['case_sensitive', 'limit', 'offset'],
      additionalProperties: false,
    },
    [`total_${list}`]: { ...wholeNumber, description: 'Everything visible before filtering' },
    filtered_count: { ...wholeNumber, description: 'Entries on this page' },
    total: { ...wholeNumber, description: 'All matches before paging' },
    truncated: { type: 'boolean', description: 'More matches follow this page' },
    [list]: { type: 'array', items: parts.entry },
    ...parts.more,
  },
  required: ['filters', `total_${list}`, 'filtered_count', 'total', 'truncated', list],
  additionalProperties: false,
});
