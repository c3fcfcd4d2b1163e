/**
 * The watchdog's program, run by `node -e`. It reads `+<pid>` and `-<pid>` lines from its stdin. When that pipe ends, it kills the process
 * groups that are still listed and exits. It is a string and not a source file, so that every bundler includes it. It ignores signals, so
 * that a signal to the gateway does not end the watchdog first.
 */
export const WATCHDOG_PROGRAM = `
const groups = new Set();
let rest = '';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
const kill = (signal) => {
  for (const pid of groups) {
    try { process.kill(process.platform === 'win32' ? pid : -pid, signal); } catch { groups.delete(pid); }
  }
};
let ended = false;
const end = () => {
  if (ended) return;
  ended = true;
  kill('SIGTERM');
  if (groups.size === 0) process.exit(0);
  setTimeout(() => { kill('SIGKILL'); process.exit(0); }, 500);
};
process.stdin.setEncoding('latin1');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (!Number.isSafeInteger(pid) || pid <= 1) continue;
    if (line[0] === '+') groups.add(pid); else groups.delete(pid);
  }
});
process.stdin.on('end', end);
process.stdin.on('error', end);
`;
