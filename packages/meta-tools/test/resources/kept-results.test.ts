import { describe, expect, it } from 'vitest';
import { outside, resulting, under } from '../harness.ts';

const uri = 'gateway://results/abc';
const WHOLE = { content: [{ type: 'text', text: 'long' }] };
const PART = { content: [{ type: 'text', text: 'lo' }], _meta: { a: 1 } };
const CONTENTS = [{ uri, mimeType: 'text/plain', text: 'ng', bytes: 4, offset: 2 }];
const KEPT = { kept: { ok: true, result: { contents: CONTENTS } } } as const;

describe('the result of a called tool', () => {
  it.each([
    ['x_wiki_search', { server: 'wiki', serverTool: 'search' }],
    ['workflow_deploy', {}],
  ])('of %s is limited, and says which tool answered', async (name, origin) => {
    const parts = { ...resulting(WHOLE), limited: PART };
    const { call, harness } = under(undefined, parts);
    const _meta = { a: 1, 'gateway.internal/tool': { name, ...origin } };
    expect(await call(name)).toEqual({ ...PART, _meta });
    const later = under(undefined, { ...parts, limited: Promise.resolve(PART) });
    expect(await later.call(name)).toEqual({ ...PART, _meta });
    const { server } = { server: undefined, ...origin };
    expect(harness.calls.at(-1)?.call).toEqual({ result: WHOLE, server });
  });

  it('of a core tool is whole, and so is a request for input', async () => {
    const core = under(undefined, { ...resulting(WHOLE), limited: PART });
    expect(await core.call('core_service_list')).toMatchObject(WHOLE);
    const asking = { resultType: 'input_required', inputRequests: {} };
    const { call } = under(undefined, { ...resulting(asking), limited: PART });
    expect(await call('x_wiki_search')).toEqual(asking);
  });
});

describe('get_resource of a kept result', () => {
  it.each([undefined, 'server:wiki', 'preset:none'])('reads a part under %s', async (header) => {
    const { answer, calls } = under(header, KEPT);
    const part = { uri, offset: 2, limit: 10, path: '$.a' };
    expect(await answer('get_resource', part)).toEqual(CONTENTS);
    expect(calls()).toEqual([['readKeptResult', { ...part, server: undefined }]]);
  });

  it('answers with the reason of a part that cannot be read', async () => {
    const { refusal } = under(undefined, { kept: { ok: false, text: 'path is empty' } });
    expect(await refusal('get_resource', { uri })).toBe('Resource retrieval failed: path is empty');
  });

  it.each([{ uri }, { uri, offset: 1, limit: 5 }, { uri, path: '$' }])(
    'refuses %j of nobody as it refuses an unknown resource',
    async (part) => {
      const unknown = `Resource retrieval failed: resource not found: ${uri}`;
      expect(await under().refusal('get_resource', part)).toBe(unknown);
      const hidden = outside(`resource "${uri}"`, 'server:wiki');
      const { refusal, harness } = under('server:wiki');
      expect(await refusal('get_resource', part)).toBe(hidden);
      expect(harness.toolsetRefusals).toEqual(['outside']);
    },
  );

  it.each([{ offset: 0 }, { limit: 1 }, { path: '$' }])(
    'alone has parts: another resource is refused with %j',
    async (part) => {
      const { refusal, calls } = under(undefined, KEPT);
      expect(await refusal('get_resource', { uri: 'file:///readme', ...part })).toBe(
        'Resource file:///readme is read whole: offset, limit and path are for kept results (gateway://results/)',
      );
      expect(calls()).toEqual([]);
    },
  );
});
