import { quoted } from '@gateway/toolset-grammar';
import { MAX_SHOWN_CHARS, MAX_SHOWN_ENTRIES } from '../limits.ts';

/** Half of a character that the cut has torn in two. */
const TORN = /[\ud800-\udbff]$/;

/** A text of which a refusal repeats no more than {@link MAX_SHOWN_CHARS}. */
export const cut = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS).replace(TORN, '')}…`;

/** A name from outside in quotes, as refusals repeat it: invisible characters escaped, a long one cut. */
export const shown = (text: string): string => quoted(cut(text));

/** A name from outside without quotes, for places where they are not usual: otherwise as {@link shown}. */
export const shownBare = (text: string): string => shown(text).slice(1, -1);

/** `namespace/name`, as refusals name an object. */
export const shownObject = ({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string => `${shownBare(namespace)}/${shownBare(name)}`;

/** Entries in the order given; of many only the first, and how many follow. */
export const shownList = (entries: readonly string[], separator: string): string => {
  const first = entries.slice(0, MAX_SHOWN_ENTRIES).map(cut);
  const more = entries.length - first.length;
  return [...first, ...(more > 0 ? [`… (${more} more)`] : [])].join(separator);
};

/** Names as `a, b`, cut as {@link shownList}. */
export const shownNames = (names: readonly string[]): string =>
  shownList(names.map(shownBare), ', ');
