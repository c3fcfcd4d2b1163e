import { createHash } from 'node:crypto';
import { Eta } from 'eta';

/** The document around the content of every page. The style is raw because its text belongs to the repository and its hash to the policy. */
const PAGE_TEMPLATE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title %></title>
<link rel="icon" href="data:,">
<style><%~ it.style %></style>
</head>
<body>
<%~ include('@content', it.data) %>
</body>
</html>
`;

/** The style of all pages: light and dark, wide and narrow screens. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1b1f24; --soft: #57606a; --line: #d5dae0; --code: #f3f5f7; --link: #0550ae; --mark: #9a3412;
  --get: #0a5c2b; --post: #0550ae; --patch: #7a4b00; --delete: #a40e26;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161b; --text: #e4e9ee; --soft: #a2adb8; --line: #333c46; --code: #1b2128; --link: #7db8ff; --mark: #ffb27d;
    --get: #6fd08c; --post: #7db8ff; --patch: #e3b341; --delete: #ff8f8f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: 0.9em; }
code { background: var(--code); border-radius: 4px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.8rem 1rem; background: var(--code); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--page); }
.skip:focus { left: 0.5rem; top: 0.5rem; }
header, .columns, .single { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.5rem; padding-bottom: 0.5rem; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; }
.version { color: var(--soft); font-weight: 400; font-size: 1.1rem; }
header p { margin: 0.3rem 0 0; }
h2 { margin: 2.5rem 0 0; font-size: 1.5rem; }
h3 { margin: 0; font-size: 1.2rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover, h3 a:focus { text-decoration: underline; }
h4 { margin: 1.2rem 0 0.3rem; font-size: 1rem; }
main > section > h2:first-child { margin-top: 1rem; }
main section section, main h2 ~ section { margin-top: 1.2rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
nav { padding: 1rem 0; font-size: 0.95rem; border-bottom: 1px solid var(--line); }
nav p { margin: 0.8rem 0 0.1rem; font-weight: 600; }
nav p:first-child { margin-top: 0; }
nav ul { list-style: none; margin: 0; padding: 0; columns: 2; column-gap: 1rem; }
nav li { padding: 0.15rem 0; break-inside: avoid; }
nav a, .routes a { text-decoration: none; }
nav a:hover, .routes a:hover { text-decoration: underline; }
.routes { list-style: none; margin: 1rem 0 0; padding: 0; }
.routes li { padding: 0.2rem 0; }
main p { margin: 0.6rem 0 0; }
.refusals { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; }
main .route { margin: 0.4rem 0 0; }
main .tool { margin: 0.3rem 0 0; color: var(--soft); }
.method { display: inline-block; min-width: 4.4em; font: 700 0.85em ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.type, .note { color: var(--soft); font-size: 0.9em; }
.required { color: var(--mark); font-size: 0.9em; font-weight: 600; }
.fields { margin: 0; }
.fields > div { padding: 0.45rem 0; border-top: 1px solid var(--line); }
.fields > div:first-child { border-top: 0; }
.fields dd { margin: 0.1rem 0 0; }
q { color: var(--soft); quotes: none; font-style: italic; }
figure { margin: 0.6rem 0 0; }
figcaption, summary { color: var(--soft); font-size: 0.9rem; margin-bottom: 0.2rem; }
details { margin-top: 0.6rem; }
summary { cursor: pointer; }
.dialog { max-width: 34rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
/* Names, issuers and e-mail addresses may have no place for a line break. */
.dialog h1, .dialog p, .dialog li, .dialog dd { overflow-wrap: anywhere; }
.dialog ul { padding-left: 1.2rem; }
.dialog label { margin-top: 1.2rem; }
.choices { margin: 1.5rem 0 0; padding: 0.4rem 1rem 0.8rem; border: 1px solid var(--line); border-radius: 6px; }
.choices legend { padding: 0 0.4rem; font-weight: 600; }
.dialog .choices label { margin-top: 0.4rem; font-weight: 400; }
.dialog .warning { border-left: 4px solid var(--mark); padding-left: 0.8rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.8rem; margin-top: 1.5rem; }
button { font: inherit; padding: 0.55rem 1.4rem; border: 1px solid var(--link); border-radius: 6px; background: var(--page); color: var(--link); cursor: pointer; }
button.primary { background: var(--link); color: var(--page); }
button:focus-visible, input:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
label { display: block; font-weight: 600; }
input[type='text'] { font: inherit; margin-top: 0.3rem; padding: 0.5rem; width: 100%; border: 1px solid var(--soft); border-radius: 6px; background: var(--page); color: var(--text); }
@media (min-width: 56rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; border-bottom: 0; }
  nav ul { columns: 1; }
  .fields > div { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 1.25rem; }
  .fields dd { margin: 0; }
  .dialog .fields > div { grid-template-columns: 8rem minmax(0, 1fr); }
}
@media print { nav, .skip { display: none; } details::details-content { content-visibility: visible; } }
`;

/** A complete HTML document and the policy under which a browser may show it. */
export interface HtmlPage {
  readonly html: string;
  /** Value of the header `Content-Security-Policy`: the style of the page, its empty icon, and nothing else. */
  readonly contentSecurityPolicy: string;
  /** The facts of the page as plain text, for programs such as curl; absent for pages that only browsers request. */
  readonly text?: string;
}

/** The template of the content of a page, with the partial templates that it includes as `@name`. */
interface PageTemplate {
  /** Eta template; its data is `it`. It is source text of the repository, never text of users. */
  readonly content: string;
  readonly partials?: Readonly<Record<`@${string}`, string>>;
}

/** Renders a page; see {@link createPageRenderer}. */
type PageRenderer = (title: string, data: object, formTargets?: readonly string[]) => HtmlPage;

/** The style of a page in `'sha256-…'` form, as a policy names it. */
const STYLE_HASH = `sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}`;

const createSecurityPolicy = (formTargets: readonly string[]): string =>
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
    engine ??= createEngine(template);
    return {
      html: engine.render('@page', { title, style: PAGE_STYLE, data }),
      contentSecurityPolicy: createSecurityPolicy(formTargets),
    };
  };
}

function createEngine({ content, partials = {} }: PageTemplate): Eta {
  const eta = new Eta({ autoEscape: true, autoTrim: false, cache: true });
  eta.loadTemplate('@page', PAGE_TEMPLATE);
  eta.loadTemplate('@content', content);
  for (const [name, text] of Object.entries(partials)) eta.loadTemplate(name, text);
  return eta;
}
