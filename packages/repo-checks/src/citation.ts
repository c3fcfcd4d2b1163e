/** A source file that says which section of the spec it follows. */
export interface Citation {
  readonly section: string;
  readonly file: string;
}

const TAG = /@spec (?<places>.*)/g;
const FOREIGN = /RFC \d+(?:,? (?:and )?§[\d.]+)*/g;
const SECTION = /§(?<section>\d+(?:\.\d+)?)/g;

/** The sections in the `@spec` tags of one file, each once. Sections of RFCs are not ours. */
export const citationsIn = (file: string, text: string): readonly Citation[] => {
  const places = [...text.matchAll(TAG)].map((match) =>
    (match.groups?.['places'] ?? '').replaceAll(FOREIGN, ''),
  );
  const sections = places.flatMap((place) =>
    [...place.matchAll(SECTION)].map((match) => match.groups?.['section'] ?? ''),
  );
  return [...new Set(sections)].map((section) => ({ section, file }));
};
