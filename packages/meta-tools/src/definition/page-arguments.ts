import { count } from '../arguments/argument-kinds.ts';

/** The default number of entries on a page of `filter_*`. */
const DEFAULT_PAGE_LIMIT = 5;

/** The paging arguments that all `filter_*` meta-tools share. */
export const pageArguments = {
  limit: count({
    description: 'Most entries to return',
    minimum: 1,
    fallback: DEFAULT_PAGE_LIMIT,
  }),
  offset: count({ description: 'Entries to skip', minimum: 0, fallback: 0 }),
} as const;
