/**
 * Makes `createDownstream` the client under test of the official conformance suite. It uses the built package:
 *
 *     pnpm --filter @gateway/downstream... build
 *     conformance client --command "node packages/downstream/conformance/client.mjs" --scenario tools_call --spec-version 2026-07-28
 *
 * The suite appends the URL of its server, and gives the scenario in MCP_CONFORMANCE_SCENARIO and what it wants called in
 * MCP_CONFORMANCE_CONTEXT. Runs on Node 22 and newer. Ends with status 0 when the server could be used.
 */
import { createDownstream } from '../dist/index.js';

const SERVER = 'conformance';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
/** The scenario takes any GET for the one that resumes a call's stream, so the session's own one comes well before the call. */
const OWN_STREAM_MS = scenario === 'sse-retry' ? 500 : 0;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers a form with the defaults of its fields, as a user who accepts it would; what has none is filled in. */
const acceptForm = ({ requestedSchema }) => {
  const fields = Object.entries(requestedSchema?.properties ?? {});
  const content = Object.fromEntries(
    fields.map(([name, field]) => [name, field.default ?? valueOf(field)]),
  );
  return { action: 'accept', content };
};

const valueOf = ({ type, enum: options, const: only }) => {
  if (only !== undefined) return only;
  if (Array.isArray(options)) return options[0];
  switch (type) {
    case 'number':
    case 'integer':
      return 5;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'text';
  }
};

const answers = {
  'elicitation/create': acceptForm,
  'sampling/createMessage': () => ({
    role: 'assistant',
    content: { type: 'text', text: 'an answer' },
    model: 'none',
    stopReason: 'endTurn',
  }),
  'roots/list': () => ({ roots: [] }),
};

/** A client that can do everything and is asked question by question. */
const caller = {
  capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} },
  takesInputRequired: false,
  logLevel: 'info',
  identity: {},
  ask: async ({ method, params }) => ({ ok: true, result: answers[method](params) }),
  notify: () => undefined,
};

/** The calls that the scenario wants, or one of each tool with arguments by its schema. */
const callsOf = (tools) => {
  const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
  if (Array.isArray(context.toolCalls)) return context.toolCalls;
  if (scenario === 'json-schema-2020-12-preservation') {
    const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
    return [{ name: 'json_schema_echo', arguments: { schema } }];
  }
  return tools.map(({ name, inputSchema }) => ({
    name,
    arguments: Object.fromEntries(
      Object.entries(inputSchema.properties ?? {}).map(([key, schema]) => [key, valueOf(schema)]),
    ),
  }));
};

const useEverything = async (downstream) => {
  const [inventory] = downstream.inventories();
  const offered = new Set(inventory.tools.map(({ name }) => name));
  const report = (what, outcome) =>
    console.error(what, outcome.ok ? 'ok' : JSON.stringify(outcome.error));
  const server = SERVER;
  for (const { name: tool, arguments: args } of callsOf(inventory.tools)) {
    if (!offered.has(tool)) continue;
    report(tool, await downstream.callTool({ server, tool, arguments: args }, { caller }));
  }
  for (const { uri } of inventory.resources)
    report(uri, await downstream.readResource({ server, uri }, { caller }));
  for (const { name: prompt } of inventory.prompts)
    report(prompt, await downstream.getPrompt({ server, prompt }, { caller }));
};

const downstream = createDownstream({
  clientInfo: { name: 'gateway-conformance', version: '1.0.0' },
  clientFeatures: caller.capabilities,
  log: (event) => console.error(JSON.stringify(event)),
});
downstream.apply([
  {
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: SERVER, namespace: 'default', labels: {} },
    spec: {
      type: 'streamable-http',
      url: process.argv.at(-1),
      headers: {},
      env: {},
      autoStart: true,
      timeout: 10,
    },
  },
]);
await downstream.settled();
await pause(OWN_STREAM_MS);
const [view] = downstream.servers();
if (view.state === 'Connected') await useEverything(downstream);
await downstream.close();
process.exitCode = view.state === 'Connected' ? 0 : 1;
