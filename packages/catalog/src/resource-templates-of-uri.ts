import type { CatalogResourceTemplate, CatalogSnapshot } from './snapshot.ts';
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

/** The resource templates, each with its server, that a URI can be an expansion of, in catalog order. RFC 6570 §2 */
export function resourceTemplatesOfUri(
  snapshot: CatalogSnapshot,
  uri: string,
): readonly CatalogResourceTemplate[] {
  return snapshot.resourceTemplates.filter((template) => matcherOf(template)(uri));
}
