/** A source file that cites a section of the spec, or one requirement of it. */
export interface Citation {
  readonly section: string;
  /** The requirement, where the tag has its id after the section: `@spec §7.1 7.1/empty`. */
  readonly id?: string;
  readonly file: string;
}

const TAG = /@spec (?<places>.*)/g;
const BETWEEN_PLACES = /[,;]| and /;
const OWN_SECTION = /^§(?<section>\d+(?:\.\d+)?)(?: (?<id>\d+(?:\.\d+)?\/[\w.-]+))?/;

/**
 * Returns the citations in the `@spec` tags of one file, each once. A place that begins with the name of another document
 * (`RFC 8693 §2.1`) is not of this spec.
 */
export const citationsIn = (file: string, text: string): readonly Citation[] => {
  const places = [...text.matchAll(TAG)]
    .flatMap((tag) => (tag.groups?.['places'] ?? '').split(BETWEEN_PLACES))
    .map((place) => OWN_SECTION.exec(place.trim())?.groups);
  const cited = places.flatMap((groups) => {
    const { section, id } = groups ?? {};
    return section === undefined ? [] : [{ section, ...(id !== undefined && { id }), file }];
  });
  const keyOf = ({ section, id = '' }: Citation): string => `${section} ${id}`;
  return [...new Map(cited.map((citation) => [keyOf(citation), citation])).values()];
};
