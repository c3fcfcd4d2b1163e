// What the rules in CEL cost: on the first document, on each further one, and as a share of parsing it.
// Usage after a build of this package: node bench/rules.mjs [--json]
import { listCelRules, evaluateRules, parseMcpServer, parseWorkflow } from '../dist/index.js';

const document = (kind, spec) => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind,
  metadata: { name: 'any', labels: { team: 'a' } },
  spec,
});

const step = (index) =>
  index % 3 === 0
    ? { id: `s${index}`, tool: 'x_k8s_get', args: { name: `{{ .input.name }}-${index}` } }
    : {
        id: `s${index}`,
        tool: 'x_k8s_list',
        args: { namespace: '{{ .input.namespace }}', limit: index },
        condition: { fromStep: 's0', expect: { success: true } },
      };

const workflow = (steps) =>
  document('Workflow', { steps: Array.from({ length: steps }, (_, i) => step(i)) });

const cases = [
  {
    name: 'stdio server',
    rounds: 20_000,
    parse: parseMcpServer,
    document: document('MCPServer', {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'server'],
      env: { HOME: '/tmp', LANG: 'C' },
    }),
  },
  {
    name: 'remote server',
    rounds: 20_000,
    parse: parseMcpServer,
    document: document('MCPServer', {
      type: 'streamable-http',
      url: 'https://example.com/mcp',
      headers: { 'X-Team': 'a' },
      auth: {
        tokenExchange: {
          enabled: true,
          dexTokenEndpoint: 'https://dex.example.com/token',
          connectorId: 'home',
        },
      },
    }),
  },
  { name: 'workflow, 10 steps', rounds: 3_000, parse: parseWorkflow, document: workflow(10) },
  { name: 'workflow, 1,000 steps', rounds: 20, parse: parseWorkflow, document: workflow(1_000) },
];

/** Processor time of one call in microseconds: other work on the machine counts less than on the clock. */
const costOf = (rounds, call) => {
  const best = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round += 1) call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / rounds;
  });
  return Math.min(...best);
};

const firstOf = (kind) => {
  const start = performance.now();
  evaluateRules(kind, {});
  return performance.now() - start;
};

const first = ['MCPServer', 'Workflow'].map((kind) => ({
  kind,
  rules: listCelRules(kind).length,
  compileMs: Number(firstOf(kind).toFixed(1)),
}));

const rows = cases.map(({ name, rounds, parse, document: resource }) => {
  const parseUs = costOf(rounds, () => parse(resource));
  const rulesUs = costOf(rounds, () => evaluateRules(resource.kind, resource.spec));
  return {
    name,
    parseUs: Number(parseUs.toFixed(1)),
    rulesUs: Number(rulesUs.toFixed(1)),
    share: Number((rulesUs / parseUs).toFixed(2)),
  };
});

if (process.argv.includes('--json')) console.log(JSON.stringify({ first, rows }));
else {
  console.table(first);
  console.table(rows);
}
