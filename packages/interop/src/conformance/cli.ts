import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runConformance } from './conformance-run.ts';
import { SUBJECTS } from './subject.ts';
import { formatSummary } from './outcome.ts';

const USAGE = `Usage: pnpm conformance [subject ...] [options]

${SUBJECTS.map(({ name, title }) => `  ${name.padEnd(20)}${title}`).join('\n')}

  --scenario <name>   only this scenario; may be repeated
  --gateway <file>    the command line of another build of the gateway
  --verbose           with the error output of the programs
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenario: { type: 'string', multiple: true },
    gateway: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

// Programs that this process started end with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const subjects = SUBJECTS.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
const unknown = positionals.filter((given) => SUBJECTS.every(({ name }) => name !== given));

if (values.help || unknown.length > 0) {
  process.stdout.write(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const { scenario: only, gateway } = values;
  const results = await runConformance(subjects, {
    ...(only && { only }),
    ...(gateway && { program: resolve(gateway) }),
  });
  const { lines, passed, failed } = formatSummary(results, values.verbose);
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
