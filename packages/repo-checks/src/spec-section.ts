/** A numbered place of the spec that states something: a section, or a numbered sentence of one. */
export interface SpecSection {
  /** `2.1`, `8`; a numbered sentence of §1 is `1.4`. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface Draft {
  readonly id: string;
  readonly title: string;
  readonly lines: string[];
}

const HEADING = /^#{2,3} (?<id>\d+(?:\.\d+)?)\.? (?<title>.+)$/;
const ITEM = /^(?<number>\d+)\. /;

const splitSections = (markdown: string): readonly Draft[] => {
  const drafts: Draft[] = [];
  for (const line of markdown.split('\n')) {
    const { id, title } = HEADING.exec(line)?.groups ?? {};
    if (id !== undefined && title !== undefined) drafts.push({ id, title, lines: [] });
    else drafts.at(-1)?.lines.push(line);
  }
  return drafts;
};

/** A section that is a numbered list is one place per item; what follows an item belongs to it. */
const splitItems = ({ id, title, lines }: Draft): readonly Draft[] => {
  const items: Draft[] = [];
  for (const line of lines) {
    const number = ITEM.exec(line)?.groups?.['number'];
    if (number !== undefined) items.push({ id: `${id}.${number}`, title, lines: [] });
    items.at(-1)?.lines.push(line);
  }
  return items;
};

/** The places of the spec that can be cited, in order. Headings without a text of their own are left out. */
export const parseSpecSections = (markdown: string): readonly SpecSection[] =>
  splitSections(markdown)
    .flatMap((draft) => {
      const items = splitItems(draft);
      return items.length > 0 ? items : [draft];
    })
    .map(({ id, title, lines }) => ({ id, title, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '');

const ROW = /^\| §(?<section>\d+(?:\.\d+)?) +\|/gm;

/** Returns the sections that docs/spec/not-shown.md answers: the first column of its tables. */
export const parseNotShownSections = (markdown: string): readonly string[] => [
  ...new Set([...markdown.matchAll(ROW)].map((match) => match.groups?.['section'] ?? '')),
];

/** Returns true when a section of the spec says that it leaves something out. */
export const hasOmission = (text: string): boolean => /\bnot shown\b/.test(text);
