import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 50;

const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const numbersIn = (directory) => {
  try {
    return readdirSync(directory).filter((name) => /^\d+$/u.test(name));
  } catch {
    return [];
  }
};

/** The processes that the first thread of a process started, and those that they started, with their command lines. Linux only. */
export const descendantsOf = (pid) => {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children.flatMap((child) => {
    const command = textOf(`/proc/${child}/cmdline`).replaceAll('\0', ' ').trim();
    return [
      ...(command === '' ? [] : [{ pid: Number(child), command }]),
      ...descendantsOf(Number(child)),
    ];
  });
};

const linkOf = (file) => {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
};

/** The ports of every TCP socket by its inode. */
const portsByInode = (pid) => {
  const lines = textOf(`/proc/${pid}/net/tcp`).split('\n').slice(1);
  const port = (address = '') => Number.parseInt(address.split(':')[1] ?? '0', 16);
  return new Map(
    lines.map((line) => {
      const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/u);
      return [inode, { local: port(local), remote: port(remote) }];
    }),
  );
};

const kindOf = (link, ports, known) => {
  const inode = /^socket:\[(\d+)\]$/u.exec(link)?.[1];
  if (inode === undefined) return link.startsWith('/') ? 'files' : 'others';
  const tcp = ports.get(inode);
  if (tcp === undefined) return 'pipes';
  return known.has(tcp.local) || known.has(tcp.remote) ? undefined : 'sockets';
};

/**
 * What a process holds that it does not need for its callers and its well-behaved servers.
 *
 * @param known ports of the gateway and of those servers, whose connections come and go
 */
export const holdingsOf = (pid, known) => {
  const held = { processes: descendantsOf(pid).length, files: 0, pipes: 0, sockets: 0, others: 0 };
  const ports = portsByInode(pid);
  for (const fd of numbersIn(`/proc/${pid}/fd`)) {
    const kind = kindOf(linkOf(`/proc/${pid}/fd/${fd}`), ports, known);
    if (kind !== undefined) held[kind] += 1;
  }
  return held;
};

/** What is held now and was not before, once that is nothing or `withinMs` are over: `{}` when nothing leaks. */
export const leakedSince = async (before, look, withinMs) => {
  const end = performance.now() + withinMs;
  for (;;) {
    const now = await look();
    const more = Object.keys(now).filter((kind) => now[kind] > before[kind]);
    if (more.length === 0 || performance.now() > end)
      return Object.fromEntries(more.map((kind) => [kind, now[kind] - before[kind]]));
    await wait(LOOK_MS);
  }
};
