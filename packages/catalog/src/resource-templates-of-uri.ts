import type { CatalogResourceTemplate } from './snapshot.ts';
import { uriTemplateMatcher } from './uri-template.ts';

type Matcher = (uri: string) => boolean;

/** Entries are shared between snapshots, so a template is compiled once as long as its server does not change. */
const matchers = new WeakMap<CatalogResourceTemplate, Matcher>();

function matcherOf(template: CatalogResourceTemplate): Matcher {
  const known = matchers.get(template);
  if (known !== undefined) return known;
  const matcher = uriTemplateMatcher(template.uriTemplate);
  matchers.set(template, matcher);
  return matcher;
}

/** Returns the resource templates that a URI can be an expansion of, in order. RFC 6570 §2 */
export function resourceTemplatesOfUri(
  templates: readonly CatalogResourceTemplate[],
  uri: string,
): readonly CatalogResourceTemplate[] {
  return templates.filter((template) => matcherOf(template)(uri));
}
