/** Markup that is safe to put into a page. Only {@link html} makes it. */
export interface Html {
  readonly markup: string;
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
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
};

/** A template of markup: what is put into it is escaped unless it is markup itself. Attributes must be quoted. */
export const html = (template: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: String.raw({ raw: template }, ...parts.map(markupOf)),
});

/** Nothing. */
export const NOTHING: Html = html``;

/** A text in which what stands between backticks is code. */
export const withCode = (text: string): readonly Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
