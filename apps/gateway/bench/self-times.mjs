import { basename } from 'node:path';

const placeOf = ({ functionName, url, lineNumber }) => {
  const name = functionName || '(anonymous)';
  if (url === '') return name;
  const parts = url.replace(/^file:\/\//u, '').split('/');
  const at = parts.lastIndexOf('node_modules');
  const folder = at >= 0 ? parts.slice(at + 1, at + 3).join('/') : packageOf(parts);
  return `${name} ${folder}${folder === '' ? '' : '/'}${basename(url)}:${lineNumber + 1}`;
};

const packageOf = (parts) => {
  const dist = parts.lastIndexOf('dist');
  return dist > 0 ? parts[dist - 1] : '';
};

/** Functions without work of the server: idle time and the start of the inspector. */
const NO_WORK = new Set(['(idle)', 'dispatch']);

const add = (map, key, value) => map.set(key, (map.get(key) ?? 0) + value);

/**
 * Returns the self time of a CPU profile: microseconds by function, without what it calls, most first.
 * Idle time is left out, and so is the profiler's own.
 */
export const selfTimes = ({ nodes, samples, timeDeltas }) => {
  const byId = new Map(nodes.map((node) => [node.id, placeOf(node.callFrame)]));
  const total = new Map();
  for (const [index, id] of samples.entries()) {
    const place = byId.get(id);
    if (!NO_WORK.has(place)) add(total, place, timeDeltas[index]);
  }
  return [...total].sort(([, a], [, b]) => b - a);
};

/** Returns allocated bytes by function, most first, including collected ones. */
export const allocatedBytes = ({ head }) => {
  const total = new Map();
  const visit = ({ callFrame, selfSize, children }) => {
    add(total, placeOf(callFrame), selfSize);
    for (const child of children) visit(child);
  };
  visit(head);
  return [...total].sort(([, a], [, b]) => b - a);
};
