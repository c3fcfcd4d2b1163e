/** Markup that is safe to put into a page. Only {@link markup} makes it. */
export interface Html {
  readonly text: string;
}

type Part = string | number | Html | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark);

const markupOf = (part: Part): string => {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'text' in part ? part.text : part.map(({ text }) => text).join('');
};

/** A template of markup: what is put into it is escaped unless it is markup itself. Attributes must be quoted. */
export const markup = (template: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  text: String.raw({ raw: template }, ...parts.map(markupOf)),
});

/** Where a page has nothing to say. */
export const NOTHING: Html = markup``;

/** A text in which what stands between backticks is code. */
export const withCode = (text: string): readonly Html[] =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
