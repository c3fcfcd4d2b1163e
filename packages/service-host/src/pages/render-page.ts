import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { PAGE_STYLE } from './page-style.ts';
import { PAGE_TEMPLATE } from './page-template.ts';

/** A complete HTML document and the policy under which a browser may show it. */
export interface Page {
  readonly html: string;
  /** Value of the header `Content-Security-Policy`: the style of the page, its empty icon, and nothing else. */
  readonly contentSecurityPolicy: string;
  /** The same facts as plain text, for programs such as curl; absent for pages that only browsers request. */
  readonly text?: string;
}

/** The template of the content of a page, with the partial templates that it includes as `@name`. */
export interface PageTemplate {
  /** Eta template; its data is `it`. It is source text of the repository, never text of users. */
  readonly content: string;
  readonly partials?: Readonly<Record<`@${string}`, string>>;
}

/** Renders a page; see {@link createPageRenderer}. */
export type PageRenderer = (title: string, data: object, formTargets?: readonly string[]) => Page;

/** The style of a page in `'sha256-…'` form, as a policy names it. */
const STYLE_HASH = `sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}`;

const contentSecurityPolicy = (formTargets: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src '${STYLE_HASH}'`,
    'img-src data:',
    "base-uri 'none'",
    `form-action ${formTargets.length === 0 ? "'none'" : formTargets.join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Returns a function that renders data into a page. Values are escaped. The page has no script and requests nothing.
 *
 * @returns a function of the title, the data of the content template, and the sources that its forms may send to, in the notation of
 * `form-action` (none by default; browsers apply them to redirects after a form too); it throws when the template does
 */
export function createPageRenderer(template: PageTemplate): PageRenderer {
  let engine: Eta | undefined;
  return (title, data, formTargets = []) => {
    // Most processes show no page.
    engine ??= engineOf(template);
    return {
      html: engine.render('@page', { title, style: PAGE_STYLE, data }),
      contentSecurityPolicy: contentSecurityPolicy(formTargets),
    };
  };
}

function engineOf({ content, partials = {} }: PageTemplate): Eta {
  const eta = new Eta({ autoEscape: true, autoTrim: false, cache: true });
  eta.loadTemplate('@page', PAGE_TEMPLATE);
  eta.loadTemplate('@content', content);
  for (const [name, text] of Object.entries(partials)) eta.loadTemplate(name, text);
  return eta;
}
