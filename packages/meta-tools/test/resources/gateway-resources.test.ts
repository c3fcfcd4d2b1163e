import { describe, expect, it } from 'vitest';
import { under } from '../harness.ts';

const uri = 'auth://status';
const STATUS = {
  uri,
  name: 'auth-status',
  description: 'Your own sign-ins.',
  mimeType: 'application/json',
};

const owning = (header?: string) => under(header, { gatewayResources: [STATUS] });

describe('a resource of the gateway itself', () => {
  it.each([undefined, 'server:wiki'])(
    'is listed before the templates, without a server, under %s',
    async (header) => {
      const list = async () => (await owning(header).answer('list_resources')) as readonly object[];
      const entries = await list();
      expect(entries.filter((entry) => !('uriTemplate' in entry)).at(-1)).toEqual(STATUS);
      expect(await under(header).answer('list_resources')).not.toContainEqual(STATUS);
    },
  );

  it.each([
    [{ pattern: 'auth:*' }, { total: 0 }],
    [{ pattern: 'auth://*' }, { total: 1, resources: [STATUS] }],
    [{ pattern: 'auth://*', server: 'wiki' }, { total: 0 }],
  ])('is filtered by pattern, and is of no server: %j', async (args, expected) => {
    expect(await owning('server:wiki').answer('filter_resources', args)).toMatchObject(expected);
  });

  it('is described and read under each toolset', async () => {
    const { answer, refusal } = owning('server:wiki');
    expect(await answer('describe_resource', { uri })).toEqual(STATUS);
    expect(await answer('get_resource', { uri })).toEqual([{ uri, text: 'for anonymous' }]);
    expect(await refusal('describe_resource', { uri, server: 'wiki' })).toBe(
      'Resource auth://status is not available on server "wiki"',
    );
  });

  it('does not exist where the gateway has none', async () => {
    const { refusal } = under();
    expect(await refusal('describe_resource', { uri })).toBe('Resource not found: auth://status');
    expect(await refusal('get_resource', { uri })).toContain('resource not found: auth://status');
  });
});
