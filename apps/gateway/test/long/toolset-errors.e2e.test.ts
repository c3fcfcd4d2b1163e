import { createTestConfigDirectory } from '@gateway/repo-checks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, refusalOf, textOf, toolNames } from '../harness/answers.ts';
import { connect, HTTP_CLIENTS, STDIO_CLIENTS } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { startGateway, stdioCommand, type RunningGateway } from '../harness/gateway.ts';
import { rawCall, rawSession } from '../harness/raw-http.ts';

const directory = createTestConfigDirectory();
const serverless = createTestConfigDirectory();
let gateway: RunningGateway;

beforeAll(async () => {
  for (const { config } of [directory, serverless])
    config({
      toolsetPresets: {
        zebra: { include: [{ server: 'one' }] },
        demo: { include: [{ tool: 'x_one_echo' }] },
      },
    });
  directory.server('one', fixture('plain'));
  gateway = await startGateway(directory.path);
});

afterAll(async () => {
  await gateway.stop();
  directory.remove();
  serverless.remove();
});

/**
 * One meta-tool represents all thirteen: `meta-tools` tests every error of every meta-tool, and the transports do not distinguish
 * them.
 */
const CALL = ['call_tool', { name: 'x_one_echo', arguments: { text: 'hello' } }] as const;

const ALLOWED = Array.from({ length: 32 }, (_, index) => `server:s${String(index)}`).join(',');

const UNKNOWN_PRESET = 'preset:foo';

/** Header values and the texts that they are refused with. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['', 'toolset [] is empty; use "preset:none" for an agent without tools'],
  [' \t ', 'toolset [] is empty; use "preset:none" for an agent without tools'],
  [
    'server:one, toolset:shared',
    'toolset [server:one,toolset:shared] selector "toolset:shared" is reserved for shared toolsets',
  ],
  [
    'label:team=a,server:one',
    'toolset [label:team=a,server:one] selector "label:team=a" is allowed inside presets only',
  ],
  [
    'server:one,,tool:x_one_echo',
    'toolset [server:one,,tool:x_one_echo] selector "" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
  ],
  [
    'Server:one',
    'toolset [Server:one] selector "Server:one" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
  ],
  [
    `${ALLOWED},server:one`,
    `toolset [${ALLOWED},server:one] has 33 selectors, more than the 32 allowed inline; define a preset`,
  ],
  [
    UNKNOWN_PRESET,
    'toolset [preset:foo] names unknown preset "foo"; known presets: read-only, none, full, demo, zebra',
  ],
];

describe.each(REFUSED)('the header %j', (header, text) => {
  const lines = [['X-Gateway-Toolset', header]] as const;
  const [name, args] = CALL;

  it('is refused with its text', async () => {
    const answer = await rawCall(gateway.url, { name, arguments: args }, lines);
    expect(answer).toEqual({ text, isError: true });
  });

  it('is refused before arguments that are wrong', async () => {
    const wrong = { name: 7, uri: [], limit: 'x', arguments: 'x' };
    const answer = await rawCall(gateway.url, { name, arguments: wrong }, lines);
    expect(answer).toEqual({ text, isError: true });
  });

  it('is refused with the same text as the argument toolset of filter_tools', async () => {
    const client = await connect(gateway.url);
    const toolset = header.trim() === '' ? [] : header.split(',');
    expect(await refusalOf(client, 'filter_tools', { toolset })).toBe(text);
    await client.close();
  });
});

describe.each(Object.entries(HTTP_CLIENTS))('over HTTP, %s', (_name, open) => {
  it('each of the six errors is an error result, and none is sticky', async () => {
    const headers: Record<string, string> = {};
    const client = await open(gateway.url, headers);
    // Client libraries drop a header without a value, so the blank ones are left to the raw requests.
    for (const [header, text] of REFUSED.filter(([value]) => value.trim() !== '')) {
      headers['X-Gateway-Toolset'] = header;
      expect(await refusalOf(client, ...CALL)).toBe(text);
      delete headers['X-Gateway-Toolset'];
      expect(textOf(await client.call('call_tool', { name: 'x_one_pid' }))).toMatch(/^\d+$/u);
    }
    await client.close();
  });

  it('two requests of one client with different headers see different catalogs', async () => {
    const headers: Record<string, string> = {};
    const client = await open(gateway.url, headers);
    const namesUnder = (toolset: string) => {
      headers['X-Gateway-Toolset'] = toolset;
      return toolNames(client);
    };
    expect(await namesUnder('tool:x_one_echo')).toEqual(['x_one_echo']);
    expect(await namesUnder('preset:none')).toEqual([]);
    delete headers['X-Gateway-Toolset'];
    expect(await toolNames(client)).toHaveLength(38);
    await client.close();
  });
});

describe('one session', () => {
  it('serves requests with different headers at once, each with its own catalog', async () => {
    const session = ['Mcp-Session-Id', await rawSession(gateway.url)] as const;
    const namesUnder = async (...toolset: readonly string[]) => {
      const lines = toolset.map((value) => ['X-Gateway-Toolset', value] as const);
      const { text } = await rawCall(gateway.url, { name: 'list_tools' }, [session, ...lines]);
      const { tools } = JSON.parse(text) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    };
    const rounds = Array.from({ length: 20 }, () =>
      Promise.all([
        namesUnder('tool:x_one_echo'),
        namesUnder('preset:none'),
        namesUnder(),
        namesUnder('tool:x_one_pid,tool:core_service_list'),
      ]),
    );
    for (const [one, none, all, two] of await Promise.all(rounds)) {
      expect(one).toEqual(['x_one_echo']);
      expect(none).toEqual([]);
      expect(all).toHaveLength(38);
      expect(two).toEqual(['x_one_pid', 'core_service_list']);
    }
  });
});

describe.each(Object.entries(STDIO_CLIENTS))('gateway stdio --toolset, %s', (_name, open) => {
  it('is refused like the header', async () => {
    const client = await open(stdioCommand(serverless.path, [`--toolset=${UNKNOWN_PRESET}`]));
    expect(await refusalOf(client, ...CALL)).toBe(
      'toolset [preset:foo] names unknown preset "foo"; known presets: read-only, none, full, demo, zebra',
    );
    await client.close();
  });
});

describe('gateway stdio --toolset', () => {
  const open = STDIO_CLIENTS['generation 2, 2025 era'];

  // A blank header and one with a wrong selector: the parser of the header has read the others above.
  const others = REFUSED.filter(([toolset]) => ['', 'Server:one'].includes(toolset));
  it.each(others)('%j is refused with the text of the header', async (toolset, text) => {
    const client = await open(stdioCommand(serverless.path, [`--toolset=${toolset}`]));
    expect(await refusalOf(client, 'list_tools')).toBe(text);
    await client.close();
  });

  it('narrows every request of the client', async () => {
    const client = await open(stdioCommand(serverless.path, ['--toolset', 'tool:core_config_get']));
    expect(await toolNames(client)).toEqual(['core_config_get']);
    expect(await refusalOf(client, 'call_tool', { name: 'core_service_list' })).toBe(
      'tool "core_service_list" is outside the toolset [tool:core_config_get]',
    );
    await client.close();
  });
});

describe('header lines', () => {
  const list = (...values: readonly string[]) =>
    rawCall(
      gateway.url,
      { name: 'list_tools', arguments: { summary: true } },
      values.map((value) => ['x-gateway-TOOLSET', value] as const),
    );

  it('are combined in order when the header is repeated', async () => {
    const { text } = await list('tool:x_one_pid', 'tool:core_config_get, tool:x_one_echo');
    const { tools } = JSON.parse(text) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['x_one_echo', 'x_one_pid', 'core_config_get']);
    expect(await list('server:one', 'label:a')).toEqual({
      text: 'toolset [server:one,label:a] selector "label:a" is allowed inside presets only',
      isError: true,
    });
  });

  it('count together towards the 32 selectors', async () => {
    expect(await list(ALLOWED, 'server:one')).toEqual({
      text: `toolset [${ALLOWED},server:one] has 33 selectors, more than the 32 allowed inline; define a preset`,
      isError: true,
    });
    expect((await list(ALLOWED)).isError).toBe(false);
  });

  it('that are blank are not ignored next to others', async () => {
    expect(await list('server:one', '')).toEqual({
      text: 'toolset [server:one,] selector "" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
      isError: true,
    });
  });

  it('are trimmed of spaces and tabs around each selector', async () => {
    const { text } = await list('\ttool:x_one_echo \t,  tool:x_one_pid ');
    const { tools } = JSON.parse(text) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['x_one_echo', 'x_one_pid']);
  });
});

describe('32 selectors', () => {
  it('are accepted as header and as argument', async () => {
    const client = await connect(gateway.url, { 'X-Gateway-Toolset': ALLOWED });
    const toolset = ALLOWED.split(',');
    expect(await ask(client, 'filter_tools', { toolset })).toMatchObject({
      total: 0,
      toolset,
      toolset_unmatched: toolset,
    });
    await client.close();
  });
});
