import { measureCall, measureDescribe } from './call-rows.mjs';
import { machineFacts } from './facts.mjs';
import { stopAll } from './measured-process.mjs';
import { measureRest } from './rest-rows.mjs';
import { measureSession } from './session-rows.mjs';
import { measureStart } from './start-rows.mjs';
import { startWorlds } from './worlds.mjs';

const MEASURES = {
  start: measureStart,
  rest: measureRest,
  session: measureSession,
  call: measureCall,
  describe: measureDescribe,
};

const describeSubject = ({ id, title, package: name, version, command, note }) => ({
  ...{ id, title, command },
  ...(name !== undefined && { package: name, version }),
  ...(note !== undefined && { note }),
});

const secondsSince = (startedAt) => Math.round((performance.now() - startedAt) / 1000);

/**
 * Measures groups of rows.
 *
 * @param run `groups`, `subjects`, `nodes`, `times`, and `report` for a line of progress
 * @returns the facts and figures of the run, as they are recorded with the commit
 */
export const measureRun = async (run, command) => {
  const startedAt = performance.now();
  // Before this run adds to the load.
  const machine = machineFacts();
  const worlds = await startWorlds();
  const figures = [];
  const groupSeconds = {};
  try {
    for (const group of run.groups) {
      const groupStartedAt = performance.now();
      figures.push(...(await MEASURES[group]({ ...run, worlds })));
      groupSeconds[group] = secondsSince(groupStartedAt);
    }
  } finally {
    await stopAll();
    await Promise.all(Object.values(worlds).map((world) => world.stop()));
  }
  return {
    date: new Date().toISOString().slice(0, 10),
    command,
    seconds: secondsSince(startedAt),
    groupSeconds,
    machine,
    nodes: run.nodes.map(({ major, version, isInstalled }) => ({ major, version, isInstalled })),
    times: run.times,
    subjects: run.subjects.map(describeSubject),
    figures,
  };
};
