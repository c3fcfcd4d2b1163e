import { bundled } from './bundled.mjs';

const CASES = [
  '*',
  'parseMcpServer',
  'parseWorkflow',
  'parseWorkflowDefinition',
  'parseMcpServer, parseWorkflow, formatError',
  'evaluateRules',
  'listCelRules',
  'createJsonSchema',
  'formatCrd',
  'renderFieldReference',
  'toWorkflowDocument',
  'formatError',
];

// One build each: in a common one, what is alive for one case would count for the others as well.
const rows = [];
for (const names of CASES) {
  const [{ bytes, gzip }] = await bundled([names]);
  rows.push({ names, bytes, gzip });
}
const all = rows[0].gzip;

if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows)}\n`);
else {
  process.stdout.write('bytes, minified  gzip     of all  import\n');
  for (const { names, bytes, gzip } of rows) {
    const share = `${((100 * gzip) / all).toFixed(1)} %`;
    process.stdout.write(
      `${String(bytes).padStart(15)}  ${String(gzip).padStart(7)}  ${share.padStart(7)}  ${names}\n`,
    );
  }
}
