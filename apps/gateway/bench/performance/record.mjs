import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { performancePage } from './page.mjs';

/** The figures of the last runs of all rows. */
const RESULTS = resolve(import.meta.dirname, '../results/performance.json');
const PAGE = resolve(import.meta.dirname, '../../../../docs/reference/performance.md');

/** Returns the recorded runs: `run`, and `peers` once that has been measured. */
export const recordedRuns = () =>
  existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};

const without = (run, isWanted) => ({
  ...run,
  subjects: run.subjects.filter(({ id }) => isWanted({ subject: id })),
  figures: run.figures.filter(isWanted),
});

const OWN = ['gateway', 'bare'];
/** Peers are measured on one Node, and the gateway next to them. */
const PEERS_NODE = 24;

/**
 * Returns the recorded runs after another one: it replaces the run of the gateway, and that of the peers if it has any.
 *
 * @param recorded the runs so far
 */
export const withRun = (recorded, run) => {
  const hasPeers = run.subjects.some(({ id }) => !OWN.includes(id));
  return {
    run: without(run, ({ subject }) => OWN.includes(subject)),
    ...(hasPeers
      ? { peers: without(run, ({ node = PEERS_NODE }) => node === PEERS_NODE) }
      : recorded.peers && { peers: recorded.peers }),
  };
};

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

/** Writes the figures of a run of all rows, and the page that shows them. */
export const recordRun = (run) => {
  const runs = withRun(recordedRuns(), run);
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(runs, null, 2)}\n`);
  writeFileSync(PAGE, performancePage(runs));
};
