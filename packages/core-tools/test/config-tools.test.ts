import type { ConfigurationOutcome } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { createCoreTools } from '../src/index.ts';
import { failure, objectOf, portsOver, callTool, sentence, type RecordingPorts } from './ports.ts';

const AGGREGATOR = { host: '127.0.0.1', port: 8090, oauth: { clientSecret: 'hush', scopes: 'a' } };

const portsWith = (outcome: ConfigurationOutcome = { kind: 'done' }): RecordingPorts => {
  const ports = portsOver();
  const order = (text: string): Promise<ConfigurationOutcome> => {
    ports.orders.push(text);
    return Promise.resolve(outcome);
  };
  return {
    ...ports,
    configuration: {
      aggregator: () => AGGREGATOR,
      update: (patch) => order(`update ${JSON.stringify(patch)}`),
      save: () => order('save'),
      reload: () => order('reload'),
    },
  };
};

const ORDERS = [
  {
    tool: 'core_config_update_aggregator',
    args: { aggregator: { port: 1 } },
    order: 'update {"port":1}',
    done: 'Successfully updated aggregator configuration',
    failed: 'Failed to update aggregator configuration: ',
  },
  {
    tool: 'core_config_save',
    args: {},
    order: 'save',
    done: 'Configuration saved successfully',
    failed: 'Failed to save configuration: ',
  },
  {
    tool: 'core_config_reload',
    args: undefined,
    order: 'reload',
    done: 'Configuration reloaded successfully',
    failed: 'Failed to reload configuration: ',
  },
] as const;

describe('core_config_get_aggregator', () => {
  it('shows the part without secrets', async () => {
    expect(await objectOf('core_config_get_aggregator', {}, portsWith())).toEqual({
      host: '127.0.0.1',
      port: 8090,
      oauth: { clientSecret: '***', scopes: 'a' },
    });
  });
});

describe.each(ORDERS)('$tool', ({ tool, args, order, done, failed }) => {
  it('is done', async () => {
    const ports = portsWith();
    expect(await callTool(tool, args, ports)).toEqual(sentence(done, { restartRequiredFor: [] }));
    expect(ports.orders).toEqual([order]);
  });

  it('lists the keys that take effect after a restart', async () => {
    const ports = portsWith({ kind: 'done', restart: ['http.port'] });
    expect(await callTool(tool, args, ports)).toEqual(
      sentence(done, { restartRequiredFor: ['http.port'] }),
    );
  });

  it('reports problems and failures', async () => {
    const problems = ['http.port: must be at most 65535', 'http.host: must be a string'];
    expect(await callTool(tool, args, portsWith({ kind: 'invalid', issues: problems }))).toEqual(
      failure(`${failed}${problems.join('; ')}`, { problems }),
    );
    expect(await callTool(tool, args, portsWith({ kind: 'failed', text: 'disk full' }))).toEqual(
      failure(`${failed}disk full`),
    );
  });

  it('takes no other arguments', async () => {
    const refused = await callTool(tool, { ...args, force: true }, portsWith());
    expect(refused).toMatchObject({ isError: true });
  });
});

describe('core_config_update_aggregator', () => {
  it('publishes the schema of a patch of the configuration', () => {
    const { entries } = createCoreTools(portsOver());
    const tool = entries.find(({ name }) => name === 'core_config_update_aggregator');
    expect(tool?.inputSchema['properties']).toEqual({
      aggregator: {
        type: 'object',
        description: 'What core_config_get_aggregator shows, as far as it changes',
        properties: {
          host: { type: ['string', 'null'] },
          oauth: {
            type: ['object', 'null'],
            properties: { clientSecret: { type: ['string', 'null'] } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    });
  });

  it('requires an object', async () => {
    expect(await callTool('core_config_update_aggregator', {})).toEqual(
      failure('aggregator argument is required'),
    );
    expect(await callTool('core_config_update_aggregator', { aggregator: [] })).toEqual(
      failure('aggregator must be an object'),
    );
  });

  it('keeps a secret that is sent back as it was shown, and takes no other for one', async () => {
    const ports = portsWith();
    const update = (aggregator: unknown) =>
      callTool('core_config_update_aggregator', { aggregator }, ports);
    await update({ oauth: { clientSecret: '***', scopes: null } });
    expect(ports.orders).toEqual(['update {"oauth":{"scopes":null}}']);
    expect(await update({ oauth: { encryptionKey: '***' } })).toEqual(
      failure(
        'Failed to update aggregator configuration: oauth.encryptionKey is ***, and there is no value to keep',
        { problems: ['oauth.encryptionKey is ***, and there is no value to keep'] },
      ),
    );
    expect(ports.orders).toHaveLength(1);
  });
});
