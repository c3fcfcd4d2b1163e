import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSecrets, keepSecrets } from '../src/redaction.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396 §2, as it is written there. */
const merged = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  const result = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, merged(result.get(key), value));
  }
  return Object.fromEntries(result);
};

const secret = fc.stringMatching(/^secret-[a-z0-9]{4}$/);
const flag = fc.constantFrom('--token', '--api-key', '--user', '--verbose');
const argument = fc.oneof(
  flag,
  secret,
  secret.map((value) => `--password=${value}`),
  secret.map((value) => `https://${value}@a.example/?key=${value}`),
);
const spec = fc.record(
  {
    url: secret.map((value) => `https://bot:${value}@a.example/mcp?token=${value}`),
    env: fc.dictionary(fc.constantFrom('A', '__proto__', 'constructor', '🔑'), secret),
    headers: fc.dictionary(fc.constantFrom('Authorization', 'X-Key'), secret),
    args: fc.array(argument, { maxLength: 6 }),
    oauth: fc.record({ clientSecret: secret, scopes: fc.string() }),
  },
  { requiredKeys: [] },
);

/** Refuses redacted values at places where no values exist. */
const unknown = (...places: readonly string[]) => ({
  ok: false,
  problems: places.map((place) => `${place} is ***, and there is no value to keep`),
});

describe('a definition that is sent back as it was shown', () => {
  it('changes nothing, or is refused where it is not clear', () => {
    let changed = 0;
    fc.assert(
      fc.property(spec, (current) => {
        const outcome = keepSecrets(current, withoutSecrets(current) as Json);
        if (outcome.ok) expect(merged(current, outcome.patch)).toEqual(merged({}, current));
        else {
          expect(outcome.problems.join()).toMatch(/^args\.\d+ is \*\*\*, and it is not clear/u);
          changed += 1;
        }
      }),
    );
    expect(changed).toBeLessThan(100);
  });

  it('is only ever refused for two secrets that are shown alike', () => {
    fc.assert(
      fc.property(spec, ({ args = [], ...current }) => {
        const alike = { ...current, args: args.filter((_, index) => index === 0) };
        expect(keepSecrets(alike, withoutSecrets(alike) as Json).ok).toBe(true);
      }),
    );
  });
});

describe('a secret', () => {
  it('never gets to another place', () => {
    const other = fc.record({
      env: fc.dictionary(fc.constantFrom('A', 'B'), fc.constantFrom('***', 'plain')),
      args: fc.array(fc.constantFrom('***', '--token', '--user', '--password=***'), {
        maxLength: 4,
      }),
    });
    fc.assert(
      fc.property(other, (patch) => {
        const current = { env: { A: 'of-a' }, args: ['--token', 'of-token', '--password=of-p'] };
        const outcome = keepSecrets(current, patch);
        if (!outcome.ok) return;
        const { env = {}, args = [] } = outcome.patch as { env?: Json; args?: readonly string[] };
        expect(Object.values(env).every((value) => value === 'plain')).toBe(true);
        args.forEach((arg, index) => {
          expect(arg).not.toBe('***');
          if (arg === 'of-token') expect(args[index - 1]).toBe('--token');
          if (arg.endsWith('of-p')) expect(arg).toBe('--password=of-p');
        });
      }),
    );
  });
});

describe('a text with a secret inside', () => {
  const args = ['curl http://h/?token=abc -v', '-e', 'API_KEY=xyz', '-H', 'Cookie: c=d'];
  const url = 'http://h/?token=abc&x=y';

  it('stays unchanged when it is sent back redacted', () => {
    const shown = ['curl http://h/?token=*** -v', '-e', 'API_KEY=***', '-H', 'Cookie: ***'];
    const patch = { url: 'http://h/?token=***&x=y', args: shown };
    expect(keepSecrets({ url, args }, patch)).toEqual({ ok: true, patch: { args } });
  });

  it('is not known by another text', () => {
    const patch = { url: 'http://evil/?token=*** ', args: ['B_KEY=***'] };
    expect(keepSecrets({ url, args }, patch)).toEqual(unknown('url', 'args.0'));
  });
});

describe('a hostile patch', () => {
  it('is checked as deep as definitions nest', () => {
    let deep: unknown = '***';
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    expect(keepSecrets({}, { deep })).toMatchObject({ ok: true });
    expect(keepSecrets({}, { a: { b: { c: '***' } } })).toEqual(unknown('a.b.c'));
  });

  it('returns at most twenty problems, and one for a long list', () => {
    const env = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`K${String(i)}`, '***']));
    const outcome = keepSecrets({}, { env });
    expect(outcome.ok ? [] : outcome.problems).toHaveLength(20);
    expect(keepSecrets({}, { args: Array.from({ length: 1025 }, () => '***') })).toEqual({
      ok: false,
      problems: ['args is ***, and the list is too long to keep a value in'],
    });
    const plain = Array.from({ length: 100_000 }, () => 'plain');
    expect(keepSecrets({}, { args: plain })).toEqual({ ok: true, patch: { args: plain } });
  });

  it('shows no more of a name than fits', () => {
    const outcome = keepSecrets({}, { ['x'.repeat(10_000)]: '***' });
    expect(outcome).toEqual(unknown(`${'x'.repeat(100)}...`));
  });
});
