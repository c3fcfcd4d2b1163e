import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSkillFiles, parseSkillText } from '../../src/skills/repository-skills.ts';
import { parseRepository } from '../../src/skills/git-skill-source.ts';

const resolveApiUrl = (address: string, apiUrl?: string) => {
  const parsed = parseRepository(address, apiUrl);
  return parsed.ok && parsed.value.apiUrl;
};

describe('the front matter of a SKILL.md', () => {
  it.each([
    ['---\nname: a\ndescription: b\n---\ntext', { name: 'a', description: 'b' }],
    ['---\r\nname: a\r\n---\r\n', { name: 'a' }],
    ['\uFEFF---\nname: "  a  "\n---', { name: 'a' }],
    ['---\ndescription: >\n  two\n  lines\n---\n', { description: 'two lines' }],
    ['---\nname: 5\ndescription: ""\n---\n', {}],
    ['---\nname: [\n---\n', {}],
    ['---\nname: a\nmetadata:\n  name: b\n---\n', { name: 'a' }],
    ["---\nname: 'it''s'\n---\n", { name: "it's" }],
    ['---\nname: a: b: c\n---\n', {}],
    ['---\nname: a\n', {}],
    ['# a\n---\nname: a\n---\n', {}],
    ['---\n- name\n---\n', {}],
    ['---\n__proto__:\n  name: a\n---\n', {}],
    ['---\na: &a [x]\nname: *a\n---\n', {}],
    ['', {}],
  ])('reads %j', (text, expected) => {
    expect(parseSkillText(text)).toEqual(expected);
  });

  it('truncates values that are too long', () => {
    const text = `---\nname: ${'n'.repeat(65)}\ndescription: ${'d'.repeat(1023)}😀\n---\n`;
    expect(parseSkillText(text)).toEqual({ name: 'n'.repeat(64), description: 'd'.repeat(1023) });
  });

  it('reads no front matter that is too long', () => {
    expect(parseSkillText(`---\nname: a\nx: ${'x'.repeat(16_384)}\n---\n`)).toEqual({});
  });

  it.each(['[', '? ', '- ', '{a,', '!', '&a ', '"', '>', 'a: ', "'", '|\n '])(
    'is done soon with many of %j',
    (part) => {
      const value = part.repeat(4000 / part.length);
      const before = performance.now();
      for (const text of [value, `\n  ${value}`, `a\n  ${value}`, `\n  a: ${value}`])
        expect(parseSkillText(`---\nname: ${text}\n---\n`)).toBeTypeOf('object');
      expect(performance.now() - before).toBeLessThan(2000);
    },
  );

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(parseSkillText(`---\nname:${text}\n---\n`)).toBeTypeOf('object');
      }),
    );
  });
});

describe('the files of a repository', () => {
  const sha = 'a'.repeat(40);
  const file = { path: 'a/SKILL.md', type: 'blob', mode: '100644', sha, size: 3 };

  it.each([
    [file, [{ folder: 'a', sha, size: 3 }]],
    [{ ...file, path: 'SKILL.md' }, [{ folder: '', sha, size: 3 }]],
    [{ ...file, path: 'a/skill.md' }, []],
    [{ ...file, path: 'a/MY-SKILL.md' }, []],
    [{ ...file, path: `${'a'.repeat(1024)}/SKILL.md` }, []],
    [{ ...file, type: 'tree' }, []],
    [{ ...file, mode: '120000' }, []],
    [{ ...file, sha: '../../user' }, []],
    [null, []],
  ])('takes %j as %j', (entry, files) => {
    expect(parseSkillFiles({ tree: [entry] })).toEqual({ files, isTruncated: false });
  });

  it.each([undefined, null, [], {}, { tree: 'x' }])('takes %j for no listing', (json) => {
    expect(parseSkillFiles(json)).toBeUndefined();
  });
});

describe('where the API of a host is', () => {
  it('is that of the public host, or /api/v3 of every other host', () => {
    expect(resolveApiUrl('https://github.com/o/n')).toBe('https://api.github.com');
    expect(resolveApiUrl('https://git.internal:8443/o/n')).toBe('https://git.internal:8443/api/v3');
  });

  it('may be configured', () => {
    expect(resolveApiUrl('https://git.internal/o/n', 'https://git.internal/api/v1/')).toBe(
      'https://git.internal/api/v1',
    );
  });
});
