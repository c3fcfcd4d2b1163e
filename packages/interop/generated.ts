import type { GeneratedFile } from '@gateway/repo-checks';
import { renderConformancePage } from './src/conformance/conformance-page.ts';

/** What the official suite asks, what is run, and what cannot apply. */
export const generated: readonly GeneratedFile[] = [
  { path: 'docs/reference/conformance.md', text: renderConformancePage },
];
