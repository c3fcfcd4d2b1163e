import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { performancePage } from './page.mjs';

const PAGE = resolve(import.meta.dirname, '../../../../docs/reference/performance.md');

const MAX_NAMES = 3;
const namesOf = (files) =>
  [...files.slice(0, MAX_NAMES), ...(files.length > MAX_NAMES ? ['…'] : [])].join(', ');

/**
 * Returns why a run of all rows is not written to the page, or undefined when it is. The page names a commit that a clone has.
 *
 * @param checkout see `commitFacts`
 * @param options `isBuilt`: `npm run bench` built the programs; `isOther`: another program is measured; `dirty`: changes are accepted
 */
export const recordProblem = ({ commit, changed, isOnMain }, { isBuilt, isOther, dirty }) => {
  if (!isBuilt) return 'only npm run bench, which builds the programs first, writes the page';
  if (isOther) return '--gateway measures another program than that of this checkout';
  if (commit === undefined) return 'this is no Git checkout, so the page could not name a commit';
  if (!isOnMain)
    return `commit ${commit} is not on the main branch, and a rebase would give it another name`;
  if (changed.length > 0 && !dirty)
    return `tracked files differ from commit ${commit} (${namesOf(changed)}): commit them, or add --dirty, and the page says so`;
  return undefined;
};

/** Returns the checkout of a run as it was at the start, with what differs at the end. */
export const checkoutOfRun = (start, end) =>
  start.commit === end.commit
    ? { ...start, changed: [...new Set([...start.changed, ...end.changed])] }
    : { ...start, changed: [...start.changed, `HEAD, which is ${end.commit} now`] };

/** Writes the page of a run of all rows. Without peers, the section of the last run that had them stays. */
export const recordRun = (run) => {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  writeFileSync(PAGE, performancePage(run, page));
};
