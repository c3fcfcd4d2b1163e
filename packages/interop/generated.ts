import type { GeneratedFile } from '@gateway/repo-checks';
import { renderCompatPage } from './src/compat/compat-page.ts';
import { renderConformancePage } from './src/conformance/conformance-page.ts';

/** What works with clients and servers of other projects; what the official suite asks, what is run, and what cannot apply. */
export const generated: readonly GeneratedFile[] = [
  { path: 'docs/reference/compatibility.md', text: renderCompatPage },
  { path: 'docs/reference/conformance.md', text: renderConformancePage },
];
