import { describe, expect, it } from 'vitest';
import { toAnswer, harnessOf, refusalOf } from '../harness.ts';

const STATUS = {
  uri: 'auth://status',
  name: 'auth-status',
  description: 'Your own sign-ins.',
  mimeType: 'application/json',
};

const asked = (header?: string) => ({
  harness: harnessOf({ gatewayResources: [STATUS] }),
  ...(header !== undefined && { header }),
});

const urisOf = (answer: unknown): readonly unknown[] =>
  (answer as readonly { readonly uri?: string }[]).map(({ uri }) => uri);

describe('a resource of the gateway itself', () => {
  it('is listed before the templates, without a server', async () => {
    const listed = (await toAnswer('list_resources', {}, asked())) as readonly unknown[];
    expect(listed.at(-2)).toEqual(STATUS);
    expect(urisOf(await toAnswer('list_resources'))).not.toContain('auth://status');
  });

  it('is in the lists under each toolset', async () => {
    const listed = await toAnswer('list_resources', {}, asked('server:wiki'));
    expect(urisOf(listed)).toContain('auth://status');
  });

  it('is filtered by pattern, and is of no server', async () => {
    const filter = async (args: object) =>
      (await toAnswer('filter_resources', args, asked('server:wiki'))) as {
        readonly total: number;
        readonly resources: unknown;
      };
    expect(await filter({ pattern: 'auth:*' })).toMatchObject({ total: 0 });
    expect(await filter({ pattern: 'auth://*' })).toMatchObject({ total: 1, resources: [STATUS] });
    expect(await filter({ pattern: 'auth://*', server: 'wiki' })).toMatchObject({ total: 0 });
  });

  it('is described and read under each toolset', async () => {
    const { uri } = STATUS;
    expect(await toAnswer('describe_resource', { uri }, asked('server:wiki'))).toEqual(STATUS);
    expect(await toAnswer('get_resource', { uri }, asked('server:wiki'))).toEqual([
      { uri, text: 'for anonymous' },
    ]);
    expect(await refusalOf('describe_resource', { uri, server: 'wiki' }, asked())).toBe(
      'Resource auth://status is not available on server "wiki"',
    );
  });

  it('does not exist where the gateway has none', async () => {
    const { uri } = STATUS;
    expect(await refusalOf('describe_resource', { uri })).toBe('Resource not found: auth://status');
    expect(await refusalOf('get_resource', { uri })).toContain('resource not found: auth://status');
  });
});
