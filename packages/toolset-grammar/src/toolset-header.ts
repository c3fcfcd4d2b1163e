import { parseToolset } from './toolset.ts';
import type { ParsedToolset } from './toolset.ts';
import { trimBlanks } from './trim-blanks.ts';

/** The request header that narrows the caller's catalog. Header names ignore case. @spec §4.1 */
export const TOOLSET_HEADER = 'X-Gateway-Toolset';

/** The key of the header among the headers of a received request, which are in lower case. @spec §4.1 */
export const TOOLSET_HEADER_KEY = TOOLSET_HEADER.toLowerCase();

/**
 * Parses the toolset of a request that carries the header; a request without it is unscoped and has nothing to parse.
 * Never throws. Several lines are one list in their order. A blank value is the empty toolset;
 * an empty item among others is malformed.
 *
 * @param lines the value of each header line, in the order received
 * @spec §3, §4.1; RFC 9110 §5.3
 */
export const parseToolsetHeader = (lines: readonly string[]): ParsedToolset => {
  const value = lines.join(',');
  return parseToolset(trimBlanks(value) === '' ? [] : value.split(','));
};
