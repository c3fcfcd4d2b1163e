/** A source file that says which section of the spec it follows. */
export interface Citation {
  readonly section: string;
  readonly file: string;
}

const TAG = /@spec (?<places>.*)/g;
const BETWEEN_PLACES = /[,;]| and /;
const OWN_SECTION = /^§(?<section>\d+(?:\.\d+)?)/;

/**
 * The sections in the `@spec` tags of one file, each once. A place that begins with another document's name
 * (`RFC 8693 §2.1`) is not ours.
 */
export const citationsIn = (file: string, text: string): readonly Citation[] => {
  const sections = [...text.matchAll(TAG)]
    .flatMap((tag) => (tag.groups?.['places'] ?? '').split(BETWEEN_PLACES))
    .map((place) => OWN_SECTION.exec(place.trim())?.groups?.['section'])
    .filter((section) => section !== undefined);
  return [...new Set(sections)].map((section) => ({ section, file }));
};
