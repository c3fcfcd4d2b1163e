import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { CLIENTS } from './clients.ts';
import { runCompat } from './compat-run.ts';
import { REPOSITORY } from '../gateway.ts';
import { listFailures, renderPage } from './compat-page.ts';
import { measureQuickStart, SETUP_METHODS } from './own-server.ts';
import { SERVERS } from './servers.ts';

const USAGE = `Usage: npm run compat -- [client ...] [options]

Clients: ${CLIENTS.map(({ id }) => id).join(', ')}
Servers: ${SERVERS.map(({ id }) => id).join(', ')}

  --server <name>    only this server and everything; may be repeated
  --feature <name>   only this feature of clients; may be repeated
  --guide            also runs the programs and configurations of docs/clients.md
  --stopwatch        follows docs/quick-start.md from a clone, and from npx, to the first call of a server of one's own, and runs nothing else
  --record           writes docs/reference/compatibility.md
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string', multiple: true },
    feature: { type: 'string', multiple: true },
    guide: { type: 'boolean', default: false },
    stopwatch: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

// Programs that this process started end with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const unknown = positionals.filter((given) => CLIENTS.every(({ id }) => id !== given));
const { server: only, feature: features } = values;

if (values.help || unknown.length > 0) {
  process.stdout.write(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else if (values.stopwatch) {
  for (const way of SETUP_METHODS)
    for (const { step, seconds, processorSeconds } of await measureQuickStart(way))
      process.stdout.write(
        `${way}: after ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time: ${step}\n`,
      );
} else {
  const results = await runCompat({
    clients: CLIENTS.filter(({ id }) => positionals.length === 0 || positionals.includes(id)),
    servers: SERVERS.filter(
      ({ id }) => only === undefined || id === 'everything' || only.includes(id),
    ),
    ...(features && { isSelected: (_, feature) => features.includes(feature) }),
    guide: values.guide || values.record,
    log: (line) => process.stdout.write(`${line}\n`),
  });
  if (values.record)
    writeFileSync(join(REPOSITORY, 'docs/reference/compatibility.md'), renderPage(results));
  const failures = listFailures(results);
  process.stdout.write(['', ...failures, ''].join('\n'));
  const checks = [...results.clients, ...results.servers].flatMap(({ verdicts }) =>
    Object.values(verdicts),
  );
  const passed = checks.filter(({ kind }) => kind === 'works').length;
  process.stdout.write(`${String(passed)} passed, ${String(failures.length)} failed\n`);
  process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
}
