import { quoted } from '@gateway/toolset-grammar';
import { MAX_SHOWN_CHARS, MAX_SHOWN_ENTRIES } from '../limits.ts';

/** One half of a surrogate pair that truncation split. */
const TORN = /[\ud800-\udbff]$/;

/** A text of which a refusal repeats no more than {@link MAX_SHOWN_CHARS}. */
export const truncate = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS).replace(TORN, '')}…`;

/** Returns an external name in quotes for a refusal: invisible characters escaped, a long name truncated. */
export const formatShown = (text: string): string => quoted(truncate(text));

/** Returns an external name without quotes, otherwise as {@link formatShown}. */
export const formatBare = (text: string): string => formatShown(text).slice(1, -1);

/** `namespace/name`, as refusals name an object. */
export const formatObject = ({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string => `${formatBare(namespace)}/${formatBare(name)}`;

/** Entries in the order given; of many only the first, and how many follow. */
export const formatList = (entries: readonly string[], separator: string): string => {
  const first = entries.slice(0, MAX_SHOWN_ENTRIES).map(truncate);
  const more = entries.length - first.length;
  return [...first, ...(more > 0 ? [`… (${more} more)`] : [])].join(separator);
};

/** Returns names as `a, b`, truncated as by {@link formatList}. */
export const formatNames = (names: readonly string[]): string =>
  formatList(names.map(formatBare), ', ');
