import type { ConfigurationOutcome } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { createCoreTools } from '../src/index.ts';
import { failure, objectOf, portsOver, callTool, sentence } from './ports.ts';

const UPDATE = 'core_config_update_aggregator';
const AGGREGATOR = { host: '127.0.0.1', port: 8090, oauth: { clientSecret: 'hush', scopes: 'a' } };

const portsWith = (outcome: ConfigurationOutcome = { kind: 'done' }) => {
  const orders: string[] = [];
  const order = (text: string): Promise<ConfigurationOutcome> => {
    orders.push(text);
    return Promise.resolve(outcome);
  };
  const configuration = {
    aggregator: () => AGGREGATOR,
    update: (patch: unknown) => order(`update ${JSON.stringify(patch)}`),
    save: () => order('save'),
    reload: () => order('reload'),
  };
  return { ...portsOver(), orders, configuration };
};

it('core_config_get_aggregator shows the part without secrets', async () => {
  const oauth = { clientSecret: '***', scopes: 'a' };
  const shown = await objectOf('core_config_get_aggregator', {}, portsWith());
  expect(shown).toEqual({ ...AGGREGATOR, oauth });
});

const DONE = {
  [UPDATE]: 'Successfully updated aggregator configuration',
  core_config_save: 'Configuration saved successfully',
  core_config_reload: 'Configuration reloaded successfully',
} as const;

describe.each([
  [UPDATE, { aggregator: { port: 1 } }, 'update {"port":1}', 'update aggregator configuration'],
  ['core_config_save', {}, 'save', 'save configuration'],
  ['core_config_reload', undefined, 'reload', 'reload configuration'],
] as const)('%s', (tool, args, order, what) => {
  const [done, failed] = [DONE[tool], `Failed to ${what}: `];
  const problems = ['http.port: must be at most 65535', 'http.host: must be a string'];

  it.each<readonly [ConfigurationOutcome, unknown]>([
    [{ kind: 'done' }, sentence(done, { restartRequiredFor: [] })],
    [
      { kind: 'done', restart: ['http.port'] },
      sentence(done, { restartRequiredFor: ['http.port'] }),
    ],
    [{ kind: 'invalid', issues: problems }, failure(failed + problems.join('; '), { problems })],
    [{ kind: 'failed', text: 'disk full' }, failure(`${failed}disk full`)],
  ])('answers an order that ends as %j', async (outcome, result) => {
    const ports = portsWith(outcome);
    expect(await callTool(tool, args, ports)).toEqual(result);
    expect(ports.orders).toEqual([order]);
  });

  it('takes no other arguments', async () => {
    const refused = await callTool(tool, { ...args, force: true }, portsWith());
    expect(refused).toMatchObject({ isError: true });
  });
});

describe('core_config_update_aggregator', () => {
  it('publishes the schema of a patch of the configuration', () => {
    const { entries } = createCoreTools(portsOver());
    const tool = entries.find(({ name }) => name === UPDATE);
    const secret = { clientSecret: { type: ['string', 'null'] } };
    const oauth = { type: ['object', 'null'], properties: secret, additionalProperties: false };
    expect(tool?.inputSchema['properties']).toEqual({
      aggregator: {
        type: 'object',
        description: 'What core_config_get_aggregator shows, as far as it changes',
        properties: { host: { type: ['string', 'null'] }, oauth },
        additionalProperties: false,
      },
    });
  });

  it('requires an object', async () => {
    expect(await callTool(UPDATE, {})).toEqual(failure('aggregator argument is required'));
    const text = 'aggregator must be an object';
    expect(await callTool(UPDATE, { aggregator: [] })).toEqual(failure(text));
  });

  it('keeps a secret that is sent back as it was shown, and takes no other for one', async () => {
    const ports = portsWith();
    const update = (oauth: object) => callTool(UPDATE, { aggregator: { oauth } }, ports);
    await update({ clientSecret: '***', scopes: null });
    const problem = 'oauth.encryptionKey is ***, and there is no value to keep';
    expect(await update({ encryptionKey: '***' })).toEqual(
      failure(`Failed to update aggregator configuration: ${problem}`, { problems: [problem] }),
    );
    expect(ports.orders).toEqual(['update {"oauth":{"scopes":null}}']);
  });
});
