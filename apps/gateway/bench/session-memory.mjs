import { openSessions } from './framings.mjs';

const SESSIONS = 1_000;
const MB = 1024 * 1024;

const endSessions = async (url, ids) => {
  for (const id of ids) {
    await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id } });
  }
};

/**
 * Returns the memory of 1,000 open idle sessions. As many were opened and ended before,
 * so that code and tables that stay are not counted.
 */
export const sessionMemory = async (targets, target) => {
  const { url, ask } = await targets.get(target);
  await endSessions(url, await openSessions(url, SESSIONS));
  const before = await ask('memory');
  const ids = await openSessions(url, SESSIONS);
  const after = await ask('memory');
  await endSessions(url, ids);
  const used = ({ heapUsed, external }) => heapUsed + external;
  return {
    target,
    heapMb: (used(after) - used(before)) / MB,
    rssMb: (after.rss - before.rss) / MB,
  };
};
